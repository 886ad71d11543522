package dev.millrace.cli.output;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Stream that passes UTF-8 text on and writes control characters as text, such as {@code \x1b}. All output of the
 * command line goes through it, so that no job can control the terminal: its clipboard, its title, or lines printed
 * before.
 *
 * <p>Line ends and tabs pass. If the terminal has colors, colors and styles that hide no text pass, too, and end with
 * their line. {@link #writeTrusted} writes the command line's own cursor movements. The object's lock guards all
 * methods.
 */
final class SafeOutput extends OutputStream {
    private static final byte[] RESET = "\u001b[0m".getBytes(US_ASCII);
    private static final int ESCAPE = 0x1b;
    private static final int REPLACEMENT = 0xfffd;
    private static final int CODE_POINT_BITS_PER_BYTE = 6;

    private final OutputStream target;
    private final boolean hasColor;
    /** Bytes that the current call passes on. */
    private final ByteArrayOutputStream passed = new ByteArrayOutputStream();
    /** Number of bytes that the current character still lacks, and its bits so far. */
    private int bytesMissing;

    private int codePoint;
    /** The part of an escape sequence after its escape character; null outside of a sequence. */
    private @Nullable StringBuilder sequence;

    private boolean isAfterReturn;
    private boolean isStyled;
    private boolean isRaw;

    SafeOutput(OutputStream target, boolean hasColor) {
        this.target = requireNonNull(target, "target");
        this.hasColor = hasColor;
    }

    /** Passes everything unchanged from this call on. */
    synchronized void showRaw() {
        isRaw = true;
    }

    /** Writes a control sequence of the command line's own. */
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
        if (character < ControlCharacters.DELETE && character >= ' ') {
            passed.write(character);
            return;
        }
        String text = ControlCharacters.contains(character)
                ? ControlCharacters.visible(character)
                : Character.toString(Character.isValidCodePoint(character) ? character : REPLACEMENT);
        passed.writeBytes(text.getBytes(UTF_8));
    }

    /**
     * Adds the character to the sequence, and passes the sequence if that ends it. Returns false if the sequence is not
     * one that passes.
     */
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

    /** Writes a carriage return as text, unless it is part of a line end: it would overwrite its line. */
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
