package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of this machine's loopback interface. */
final class FreePort {
    private FreePort() {}

    /** Fails where somebody listens on the port; 0 stands for any. */
    static void require(String service, int port, String flag) {
        try (var _ = listen(port)) {
            // It is free.
        } catch (BindException taken) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The port " + port + " of the " + service
                            + " is taken by another process, maybe another './millrace dev'."
                            + " Stop what listens there, or choose another port with " + flag + " (0 for a free one).",
                    taken);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The port " + port + " of the " + service + " cannot be used: " + e.getMessage() + ".",
                    e);
        }
    }

    /** A port that nobody listens on. The kernel gives it to no connection soon, and to another listener hardly ever. */
    static int any() {
        try (ServerSocket socket = listen(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED, "No port is free for the scheduler: " + e.getMessage() + ".", e);
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
