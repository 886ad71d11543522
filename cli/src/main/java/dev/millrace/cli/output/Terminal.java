package dev.millrace.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where output goes: UTF-8 streams, and what the standard output can do. The launcher passes the size of the terminal as
 * the system property {@code millrace.terminal} ({@code 24x80}) where standard output is one.
 *
 * @param rows lines of the terminal; 0 where standard output is none
 */
public record Terminal(PrintStream out, PrintStream err, int rows, int columns, boolean hasColor) {
    private static final String SIZE_PROPERTY = "millrace.terminal";
    private static final int COLUMNS_DEFAULT = 80;

    public static Terminal system() {
        String size = System.getProperty(SIZE_PROPERTY, "");
        boolean isTerminal = size.matches("\\d+x\\d+");
        String[] parts = size.split("x", -1);
        boolean wantsColor =
                System.getenv().getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(System.getenv("TERM"));
        return new Terminal(
                stream(FileDescriptor.out),
                stream(FileDescriptor.err),
                isTerminal ? Integer.parseInt(parts[0]) : 0,
                isTerminal ? Integer.parseInt(parts[1]) : COLUMNS_DEFAULT,
                isTerminal && wantsColor);
    }

    public boolean isInteractive() {
        return rows > 0;
    }

    public Paint paint() {
        return new Paint(hasColor);
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
