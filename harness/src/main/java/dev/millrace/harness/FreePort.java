package dev.millrace.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ports for processes that must come back on the same one after a restart, which rules out port 0. */
public final class FreePort {
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    /** Returns a port that is free now and that this JVM has not given out before. */
    public static int next() {
        while (true) {
            try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (GIVEN.add(socket.getLocalPort())) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("No free port on the loopback interface.", e);
            }
        }
    }
}
