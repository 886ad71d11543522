package dev.millrace.worker.internal.secret;

import java.nio.charset.StandardCharsets;

/** One stream of a job's log, masked across its pieces from the first secret on. Not thread-safe. */
public final class MaskedText {
    private final MaskedBytes bytes = new MaskedBytes();
    /** First half of a character beyond the basic plane, whose second half is in the next piece. */
    private String half = "";

    /** Returns what is certain of all pieces so far; the rest follows later. */
    public String add(Masks masks, String piece) {
        if (masks.isEmpty() || piece.isEmpty()) {
            return piece;
        }
        String text = half + piece;
        int end = text.length() - (Character.isHighSurrogate(text.charAt(text.length() - 1)) ? 1 : 0);
        half = text.substring(end);
        return Masks.utf8(bytes.add(masks, text.substring(0, end).getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns what is withheld, since nothing follows. */
    public String end() {
        return Masks.utf8(bytes.end());
    }
}
