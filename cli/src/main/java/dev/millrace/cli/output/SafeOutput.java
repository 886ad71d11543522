package dev.millrace.cli.output;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Passes UTF-8 text on and writes every control character in it as text, such as {@code \x1b}. All that the command line prints goes through here,
 * so that no job can reach the terminal: neither its clipboard nor its title nor lines that have been printed.
 *
 * <p>Line ends and tabs pass. Colors and styles pass where the terminal has colors and as long as they hide nothing; they end with their line.
 * The command line's own movements of the cursor are written with {@link #writeTrusted}. All methods are guarded by the object's lock.
 */
final class SafeOutput extends OutputStream {
    private static final byte[] RESET = "\u001b[0m".getBytes(US_ASCII);
    private static final int ESCAPE = 0x1b;
    private static final int REPLACEMENT = 0xfffd;
    private static final int CODE_POINT_BITS_PER_BYTE = 6;

    private final OutputStream target;
    private final boolean hasColor;
    /** What this call passes on. */
    private final ByteArrayOutputStream passed = new ByteArrayOutputStream();
    /** Bytes that the character at hand still lacks, and its bits so far. */
    private int bytesMissing;

    private int codePoint;
    /** What has come of a sequence after its escape character; null outside of one. */
    private @Nullable StringBuilder sequence;

    private boolean isAfterReturn;
    private boolean isStyled;
    private boolean isRaw;

    SafeOutput(OutputStream target, boolean hasColor) {
        this.target = requireNonNull(target, "target");
        this.hasColor = hasColor;
    }

    /** From now on everything passes as it is. */
    synchronized void showRaw() {
        isRaw = true;
    }

    /** Writes what the command line itself wants of the terminal. */
    synchronized void writeTrusted(String text) throws IOException {
        target.write(text.getBytes(UTF_8));
    }

    @Override
    public synchronized void write(int octet) throws IOException {
        accept(octet & 0xff);
        passOn();
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        if (isRaw) {
            target.write(bytes, offset, length);
            return;
        }
        for (int i = offset; i < offset + length; i++) {
            accept(bytes[i] & 0xff);
        }
        passOn();
    }

    @Override
    public synchronized void flush() throws IOException {
        endSequence();
        endReturn();
        endStyle();
        passOn();
        target.flush();
    }

    private void passOn() throws IOException {
        passed.writeTo(target);
        passed.reset();
    }

    /** Decodes UTF-8. */
    private void accept(int octet) {
        if (isRaw) {
            passed.write(octet);
        } else if (bytesMissing > 0 && (octet & 0xc0) == 0x80) {
            codePoint = (codePoint << CODE_POINT_BITS_PER_BYTE) | (octet & 0x3f);
            if (--bytesMissing == 0) {
                acceptCharacter(codePoint);
            }
        } else {
            if (bytesMissing > 0) {
                bytesMissing = 0;
                acceptCharacter(REPLACEMENT);
            }
            acceptFirst(octet);
        }
    }

    private void acceptFirst(int octet) {
        if (octet < 0x80) {
            acceptCharacter(octet);
        } else if (octet < 0xc2 || octet > 0xf4) {
            acceptCharacter(REPLACEMENT);
        } else {
            bytesMissing = octet < 0xe0 ? 1 : octet < 0xf0 ? 2 : 3;
            codePoint = octet & (0x3f >> bytesMissing);
        }
    }

    private void acceptCharacter(int character) {
        if (sequence != null && continuesSequence(sequence, character)) {
            return;
        }
        endSequence();
        boolean isReturnBefore = isAfterReturn;
        if (character != '\n') {
            endReturn();
        }
        isAfterReturn = false;
        switch (character) {
            case '\n' -> {
                endStyle();
                if (isReturnBefore) {
                    passed.write('\r');
                }
                passed.write('\n');
            }
            case '\t' -> passed.write('\t');
            case '\r' -> isAfterReturn = true;
            case ESCAPE -> sequence = new StringBuilder();
            default -> pass(character);
        }
    }

    private void pass(int character) {
        String text = ControlCharacters.contains(character)
                ? ControlCharacters.visible(character)
                : Character.toString(Character.isValidCodePoint(character) ? character : REPLACEMENT);
        passed.writeBytes(text.getBytes(UTF_8));
    }

    /** Takes the character into the sequence, and the sequence with its end; false where it is none that passes. */
    private boolean continuesSequence(StringBuilder begun, int character) {
        if (begun.isEmpty() ? character == '[' : Styles.isParameter(character) && begun.length() < Styles.LENGTH_MAX) {
            begun.append((char) character);
            return true;
        }
        if (character == 'm' && !begun.isEmpty() && hasColor && Styles.areHarmless(begun.substring(1))) {
            passed.writeBytes(("\u001b" + begun + "m").getBytes(US_ASCII));
            isStyled = !Styles.isReset(begun.substring(1));
            sequence = null;
            return true;
        }
        return false;
    }

    /** Writes a sequence that does not pass as text. */
    private void endSequence() {
        if (sequence != null) {
            passed.writeBytes((ControlCharacters.visible(ESCAPE) + sequence).getBytes(UTF_8));
            sequence = null;
        }
    }

    /** A return is part of a line end, or would begin its line anew over what has been printed. */
    private void endReturn() {
        if (isAfterReturn) {
            passed.writeBytes(ControlCharacters.visible('\r').getBytes(US_ASCII));
            isAfterReturn = false;
        }
    }

    private void endStyle() {
        if (isStyled) {
            passed.writeBytes(RESET);
            isStyled = false;
        }
    }
}
