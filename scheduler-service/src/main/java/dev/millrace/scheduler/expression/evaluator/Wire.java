package dev.millrace.scheduler.expression.evaluator;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connection between the scheduler and a child, over the child's standard input and output. A frame has a kind, a
 * number, and texts with their lengths. The protocol is strictly alternating: the sender of a request or question waits
 * for the answer. Confined to one thread at a time.
 */
public final class Wire implements Closeable {
    /** Maximum bytes of one text. The engines' own limits are far lower. */
    private static final int TEXT_BYTES_MAX = 256 << 20;
    /** Maximum number of texts in one frame. */
    private static final int TEXTS_MAX = 100_000;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int ABSENT = 0;
    private static final int LATIN1 = 1;
    private static final int UTF16 = 2;

    /** Kinds of frames. */
    enum Kind {
        READY('!'),
        REQUEST('R'),
        QUESTION('?'),
        FOUND('F'),
        VALUE('V'),
        FAILED('E'),
        INVALID('I');

        private final char code;

        Kind(char code) {
            this.code = code;
        }

        static Kind ofCode(int code) throws IOException {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IOException("a frame of the unknown kind " + code);
        }
    }

    /** One frame. */
    record Frame(Kind kind, int number, List<@Nullable String> texts) {
        /** Returns a text that must be present. */
        String text(int index) {
            String text = texts.get(index);
            if (text == null) {
                throw new IllegalStateException("a frame of kind " + kind + " lacks its text " + index);
            }
            return text;
        }
    }

    private final DataInputStream in;
    private final DataOutputStream out;

    /** Creates a connection over two streams and closes them with it. */
    public Wire(InputStream in, OutputStream out) {
        this.in = new DataInputStream(new BufferedInputStream(in, BUFFER_BYTES));
        this.out = new DataOutputStream(new BufferedOutputStream(out, BUFFER_BYTES));
    }

    /** Sends one frame and flushes it. */
    void send(Kind kind, int number, List<? extends @Nullable String> texts) throws IOException {
        out.writeByte(kind.code);
        out.writeInt(number);
        out.writeInt(texts.size());
        for (String text : texts) {
            write(text);
        }
        out.flush();
    }

    /**
     * Waits for the next frame.
     *
     * @throws java.io.EOFException if the other side has closed
     */
    Frame receive() throws IOException {
        Kind kind = Kind.ofCode(in.readUnsignedByte());
        int number = in.readInt();
        int count = in.readInt();
        if (count < 0 || count > TEXTS_MAX) {
            throw new IOException("a frame of " + count + " texts (expected: at most " + TEXTS_MAX + ")");
        }
        List<@Nullable String> texts = new ArrayList<>(Math.min(count, 100));
        for (int i = 0; i < count; i++) {
            texts.add(read());
        }
        return new Frame(kind, number, texts);
    }

    // A lone surrogate is legal in JSON but not in UTF-8. Texts are therefore sent as UTF-16, or as one byte per
    // character if that is enough.
    private void write(@Nullable String text) throws IOException {
        if (text == null) {
            out.writeByte(ABSENT);
            return;
        }
        boolean narrow = text.chars().allMatch(c -> c < 256);
        byte[] bytes = text.getBytes(narrow ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_16BE);
        if (!narrow && bytes.length != 2 * text.length()) {
            throw new IllegalStateException("a text was not written as it is");
        }
        out.writeByte(narrow ? LATIN1 : UTF16);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private @Nullable String read() throws IOException {
        int form = in.readUnsignedByte();
        if (form == ABSENT) {
            return null;
        }
        Charset charset = form == LATIN1 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_16BE;
        int length = in.readInt();
        if (length < 0 || length > TEXT_BYTES_MAX) {
            throw new IOException("a text of " + length + " bytes (expected: at most " + TEXT_BYTES_MAX + ")");
        }
        return new String(in.readNBytes(length), charset);
    }

    @Override
    public void close() throws IOException {
        try (in) {
            out.close();
        }
    }
}
