package dev.millrace.scheduler.database;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;

/**
 * The socket of a connection to Postgres. A read that times out is repeated while {@link SilenceWatch} says that an
 * answer may still come. For writes, which have no timeout, a thread watches the progress and closes the socket if they
 * are stuck.
 */
final class WatchedSocket extends Socket {
    /**
     * Silence within a statement after which the server is asked about it. It differs from all read timeouts with which
     * the driver polls.
     */
    static final Duration SILENCE_MAX = Duration.ofSeconds(5);

    /** A connection without traffic is probed by TCP after this time ... */
    private static final Duration KEEPALIVE_IDLE = Duration.ofSeconds(5);
    /** ... this often ... */
    private static final Duration KEEPALIVE_INTERVAL = Duration.ofSeconds(3);
    /** ... and ends after so many probes without an answer. */
    private static final int KEEPALIVE_PROBES = 3;

    /** Size of the pieces of a write. A server that reads takes a piece in far less than {@link #SILENCE_MAX}. */
    private static final int PIECE_BYTES = 64 << 10;

    /** How often the progress of writes is checked. */
    private static final Duration WRITE_LOOKS_INTERVAL = Duration.ofSeconds(1);

    private final SilenceWatch watch;
    /** Number of the piece that is being written; 0 if there is none. */
    private volatile long pieceUnderWay;

    private long pieces;

    WatchedSocket(SilenceWatch watch) throws IOException {
        this.watch = watch;
        watch.connecting(this);
        setIfSupported(ExtendedSocketOptions.TCP_KEEPIDLE, (int) KEEPALIVE_IDLE.toSeconds());
        setIfSupported(ExtendedSocketOptions.TCP_KEEPINTERVAL, (int) KEEPALIVE_INTERVAL.toSeconds());
        setIfSupported(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
    }

    private void setIfSupported(SocketOption<Integer> option, int value) throws IOException {
        if (supportedOptions().contains(option)) {
            setOption(option, value);
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                while (true) {
                    try {
                        int count = in.read(bytes, offset, length);
                        watch.heard();
                        return count;
                    } catch (SocketTimeoutException silence) {
                        if (!isWithinStatement() || !watch.mayStillAnswer()) {
                            throw silence;
                        }
                    }
                }
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new FilterOutputStream(super.getOutputStream()) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                for (int done = 0; done < length; done += PIECE_BYTES) {
                    pieceUnderWay = ++pieces;
                    out.write(bytes, offset + done, Math.min(PIECE_BYTES, length - done));
                    pieceUnderWay = 0;
                }
            }
        };
    }

    @Override
    public void connect(SocketAddress server, int timeoutMillis) throws IOException {
        super.connect(server, timeoutMillis);
        Thread.ofVirtual().name("database-write-watch").start(this::closeWhenStuck);
    }

    @Override
    public void close() throws IOException {
        super.close();
        watch.closed();
    }

    /** Watches writes until the socket is closed. Closing the socket ends a write that is stuck. */
    private void closeWhenStuck() {
        try {
            long before = 0;
            Duration stuck = Duration.ZERO;
            while (!isClosed()) {
                TimeUnit.NANOSECONDS.sleep(WRITE_LOOKS_INTERVAL.toNanos());
                long now = pieceUnderWay;
                stuck = now != 0 && now == before ? stuck.plus(WRITE_LOOKS_INTERVAL) : Duration.ZERO;
                if (stuck.compareTo(SILENCE_MAX) >= 0) {
                    stuck = Duration.ZERO;
                    if (!watch.mayStillAnswer()) {
                        close();
                    }
                }
                before = now;
            }
        } catch (IOException closedAnyway) {
            // Nobody writes to a closed socket.
            return;
        } catch (InterruptedException neverAsked) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isWithinStatement() throws SocketException {
        return getSoTimeout() == SILENCE_MAX.toMillis();
    }
}
