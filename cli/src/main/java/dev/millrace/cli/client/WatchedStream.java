package dev.millrace.cli.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * Body of an event stream that ends if nothing arrives for too long. Gateways send a comment every few seconds, so a
 * silent stream is half-open.
 */
final class WatchedStream extends FilterInputStream {
    private final long silenceMaxNanos;
    private final Thread watch;
    private volatile long heardNanos = System.nanoTime();

    /** @param silenceMax longest time without a byte */
    WatchedStream(InputStream body, Duration silenceMax) {
        super(body);
        this.silenceMaxNanos = silenceMax.toNanos();
        this.watch = Thread.ofVirtual().name("stream-watch").start(this::closeWhenSilent);
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        heardNanos = System.nanoTime();
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        heardNanos = System.nanoTime();
        return count;
    }

    @Override
    public void close() throws IOException {
        watch.interrupt();
        super.close();
    }

    private void closeWhenSilent() {
        try {
            for (long left = left(); left > 0; left = left()) {
                Thread.sleep(Duration.ofNanos(left));
            }
            in.close();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (IOException broken) {
            // Closing makes the reader fail, which is enough.
        }
    }

    private long left() {
        return heardNanos + silenceMaxNanos - System.nanoTime();
    }
}
