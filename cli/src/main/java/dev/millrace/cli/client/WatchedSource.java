package dev.millrace.cli.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Bytes on their way to a server, which tells a server that takes none from a source that has none. */
final class WatchedSource extends FilterInputStream {
    private volatile boolean isReading;
    private volatile long readNanos = System.nanoTime();

    WatchedSource(InputStream source) {
        super(source);
    }

    /** Time for which the server has wanted no bytes; zero while the source is slow. */
    Duration waited() {
        return isReading ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - readNanos);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        isReading = true;
        try {
            return super.read(bytes, offset, length);
        } finally {
            readNanos = System.nanoTime();
            isReading = false;
        }
    }
}
