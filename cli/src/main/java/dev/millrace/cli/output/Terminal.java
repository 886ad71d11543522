package dev.millrace.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;

/**
 * Where output goes: UTF-8 streams that are safe to print on, and what the standard output can do. The launcher passes the size of the terminal as
 * the system property {@code millrace.terminal} ({@code 24x80}) where standard output is one.
 *
 * @param rows lines of the terminal; 0 where standard output is none
 */
public record Terminal(Screen out, Screen err, int rows, int columns, boolean hasColor) {
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
                isTerminal && wantsColor);
    }

    public boolean isInteractive() {
        return rows > 0;
    }

    /** How long a line may be; as long as it likes where output goes to a file or a program. */
    public int lineLengthMax() {
        return isInteractive() ? columns : Integer.MAX_VALUE;
    }

    public Paint paint() {
        return new Paint(hasColor);
    }

    /** A terminal with these streams; what is printed is safe to show. */
    public static Terminal over(OutputStream out, OutputStream err, int rows, int columns, boolean hasColor) {
        return new Terminal(Screen.on(out, hasColor), Screen.on(err, hasColor), rows, columns, hasColor);
    }

    /** Makes safe to show what libraries and failing threads print on standard error, which is none of the command line's own output. */
    public void guardStandardError() {
        System.setErr(err);
    }

    /** From now on, control characters are written as they come, for output that must be exact. */
    public void showRaw() {
        out.showRaw();
        err.showRaw();
    }
}
