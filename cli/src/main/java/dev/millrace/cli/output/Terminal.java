package dev.millrace.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/**
 * Surroundings of a command: output streams that are safe to print on, standard input, environment variables, and the
 * abilities of the standard output. If that is a terminal, the launcher passes its size as the system property
 * {@code millrace.terminal} ({@code 24x80}).
 *
 * @param rows lines of the terminal; 0 if standard output is not a terminal
 */
public record Terminal(
        Screen out,
        Screen err,
        InputStream in,
        Map<String, String> environment,
        int rows,
        int columns,
        boolean hasColor) {
    private static final String SIZE_PROPERTY = "millrace.terminal";
    private static final int COLUMNS_DEFAULT = 80;

    public static Terminal system() {
        String size = System.getProperty(SIZE_PROPERTY, "");
        boolean isTerminal = size.matches("\\d+x\\d+");
        String[] parts = size.split("x", -1);
        boolean wantsColor =
                System.getenv().getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(System.getenv("TERM"));
        return over(
                        new FileOutputStream(FileDescriptor.out),
                        new FileOutputStream(FileDescriptor.err),
                        isTerminal ? Integer.parseInt(parts[0]) : 0,
                        isTerminal ? Integer.parseInt(parts[1]) : COLUMNS_DEFAULT,
                        isTerminal && wantsColor)
                .with(System.in, System.getenv());
    }

    public boolean isInteractive() {
        return rows > 0;
    }

    /** Longest line in characters; unlimited if the output goes to a file or a program. */
    public int lineLengthMax() {
        return isInteractive() ? columns : Integer.MAX_VALUE;
    }

    public Paint paint() {
        return new Paint(hasColor);
    }

    /** A terminal on these streams, with control characters shown as text, without input and variables. */
    public static Terminal over(OutputStream out, OutputStream err, int rows, int columns, boolean hasColor) {
        return new Terminal(
                Screen.on(out, hasColor),
                Screen.on(err, hasColor),
                InputStream.nullInputStream(),
                Map.of(),
                rows,
                columns,
                hasColor);
    }

    /** The same terminal with this standard input and these environment variables. */
    public Terminal with(InputStream input, Map<String, String> variables) {
        return new Terminal(out, err, input, variables, rows, columns, hasColor);
    }

    /** Shows control characters as text even in what libraries and failing threads print on standard error. */
    public void guardStandardError() {
        System.setErr(err);
    }

    /** Prints control characters unchanged from this call on, for output that must be exact. */
    public void showRaw() {
        out.showRaw();
        err.showRaw();
    }
}
