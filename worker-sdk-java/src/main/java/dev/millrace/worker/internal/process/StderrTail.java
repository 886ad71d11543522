package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.secret.MaskedBytes;
import dev.millrace.worker.internal.secret.Masks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The last bytes that a process wrote to stderr, for an error that nothing else explains. They are masked before they
 * are cut, since half a secret would not be found later.
 */
final class StderrTail {
    static final int TAIL_BYTES_MAX = 8 << 10;

    private final Masks masks;
    private final MaskedBytes masked = new MaskedBytes();
    private byte[] tail = new byte[0];

    StderrTail(Masks masks) {
        this.masks = masks;
    }

    synchronized void add(byte[] bytes, int length) {
        if (masks.isEmpty()) {
            append(bytes, length);
        } else {
            byte[] certain = masked.add(masks, Arrays.copyOf(bytes, length));
            append(certain, certain.length);
        }
    }

    private void append(byte[] bytes, int length) {
        int kept = Math.min(tail.length, Math.max(0, TAIL_BYTES_MAX - length));
        int added = Math.min(length, TAIL_BYTES_MAX);
        byte[] next = new byte[kept + added];
        System.arraycopy(tail, tail.length - kept, next, 0, kept);
        System.arraycopy(bytes, length - added, next, kept, added);
        tail = next;
    }

    synchronized String text() {
        byte[] rest = masked.end();
        append(rest, rest.length);
        return new String(tail, StandardCharsets.UTF_8).strip();
    }
}
