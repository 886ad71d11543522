package dev.millrace.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A stream to print text on, in UTF-8 and with control characters shown as text; see {@link SafeOutput}. */
public final class Screen extends PrintStream {
    private final SafeOutput safe;

    private Screen(SafeOutput safe) {
        // What is printed goes on at once all the same; a flush would end a color that comes in two pieces.
        super(safe, false, StandardCharsets.UTF_8);
        this.safe = safe;
    }

    static Screen on(OutputStream target, boolean hasColor) {
        return new Screen(new SafeOutput(target, hasColor));
    }

    /** Writes a sequence of the command line's own, such as a movement of the cursor; never anything that comes from a server. */
    public void control(String sequence) {
        flush();
        try {
            safe.writeTrusted(sequence);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void showRaw() {
        flush();
        safe.showRaw();
    }
}
