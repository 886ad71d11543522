package dev.millrace.cli.blob;

import dev.millrace.cli.output.Terminal;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;

/** Line on the terminal that shows how far a transfer is, if it takes more than a second. */
final class TransferLine implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Duration SHOWN_AFTER = Duration.ofSeconds(1);
    private static final String LINE_START = "\r";
    private static final double MEGABYTE = 1e6;

    private final Terminal terminal;
    private final String name;
    private final long total;
    private long done;
    private long shownNanos;
    private boolean isShown;

    /** @param total number of bytes; 0 if that is not known */
    TransferLine(Terminal terminal, String name, long total) {
        this.terminal = terminal;
        this.name = name;
        this.total = total;
        this.shownNanos = System.nanoTime() + SHOWN_AFTER.minus(INTERVAL).toNanos();
    }

    void add(long bytes) {
        done += bytes;
        long now = System.nanoTime();
        if (terminal.isInteractive() && now - shownNanos > INTERVAL.toNanos()) {
            shownNanos = now;
            show();
        }
    }

    /** The same stream, whose bytes count. */
    InputStream counting(InputStream bytes) {
        return new FilterInputStream(bytes) {
            @Override
            public int read() throws IOException {
                int read = super.read();
                add(read < 0 ? 0 : 1);
                return read;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int read = super.read(target, offset, length);
                add(Math.max(0, read));
                return read;
            }
        };
    }

    private void show() {
        isShown = true;
        terminal.err().control(LINE_START);
        terminal.err().print(text());
        terminal.err().flush();
    }

    private String text() {
        return total == 0
                ? String.format(Locale.ROOT, "%s: %.1f MB", name, done / MEGABYTE)
                : String.format(
                        Locale.ROOT,
                        "%s: %.1f of %.1f MB (%d %%)",
                        name,
                        done / MEGABYTE,
                        total / MEGABYTE,
                        100 * done / total);
    }

    @Override
    public void close() {
        if (isShown) {
            show();
            terminal.err().println();
        }
    }
}
