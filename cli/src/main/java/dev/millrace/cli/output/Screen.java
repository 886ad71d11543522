package dev.millrace.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Print stream in UTF-8 that shows control characters as text; see {@link SafeOutput}. */
public final class Screen extends PrintStream {
    private final SafeOutput safe;

    private Screen(SafeOutput safe) {
        // Output is passed on at once even without automatic flushes; a flush would end a color that arrives in two
        // pieces.
        super(safe, false, StandardCharsets.UTF_8);
        this.safe = safe;
    }

    static Screen on(OutputStream target, boolean hasColor) {
        return new Screen(new SafeOutput(target, hasColor));
    }

    /** Writes a control sequence of the command line's own, such as a cursor movement; never one from a server. */
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
