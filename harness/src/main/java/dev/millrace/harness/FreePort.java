package dev.millrace.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ports for processes that must keep their port after a restart, which rules out port 0. They lie below the range that
 * the kernel gives to outgoing connections. Each JVM begins at another port.
 */
public final class FreePort {
    private static final int FIRST = 12_000;
    private static final int COUNT = 20_000;

    /** A prime, so that JVMs with neighboring process ids begin far from each other. */
    private static final int JVM_DISTANCE = 7_919;

    private static final AtomicLong NEXT =
            new AtomicLong(ProcessHandle.current().pid() * JVM_DISTANCE);

    private FreePort() {}

    /**
     * Returns a port that is free at the time of the call and that this JVM has not given out before, unless it has
     * given out all of them.
     */
    public static int next() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = FIRST + (int) (NEXT.getAndIncrement() % COUNT);
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException taken) {
                // Another program uses the port.
            }
        }
        throw new IllegalStateException(
                "No free port from " + FIRST + " to " + (FIRST + COUNT - 1) + " on the loopback interface.");
    }
}
