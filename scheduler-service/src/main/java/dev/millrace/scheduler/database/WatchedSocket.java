package dev.millrace.scheduler.database;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;

/** The socket of a connection to Postgres: a read that has timed out goes on while {@link SilenceWatch} says that an answer may still come. */
final class WatchedSocket extends Socket {
    /** Silence within a statement after which the server is asked about it. Unlike all other timeouts of reads, by which the driver polls. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(5);

    /** A connection without traffic is probed by TCP after this time ... */
    private static final Duration KEEPALIVE_IDLE = Duration.ofSeconds(5);
    /** ... this often ... */
    private static final Duration KEEPALIVE_INTERVAL = Duration.ofSeconds(3);
    /** ... and ends after so many probes without an answer. */
    private static final int KEEPALIVE_PROBES = 3;

    private final SilenceWatch watch;

    WatchedSocket(SilenceWatch watch) throws IOException {
        this.watch = watch;
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

    private boolean isWithinStatement() throws SocketException {
        return getSoTimeout() == SILENCE_MAX.toMillis();
    }
}
