package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Launcher;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of this machine's loopback interface. */
final class FreePort {
    private FreePort() {}

    /** Fails if another process listens on the port; 0 stands for any free port. */
    static void require(String service, int port, String flag) {
        try (var _ = listen(port)) {
            // The port is free.
        } catch (BindException taken) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The port " + port + " of the " + service
                            + " is taken by another process, maybe another '" + Launcher.NAME + " dev'."
                            + " Stop what listens there, or choose another port with " + flag + " (0 for a free one).",
                    taken);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The port " + port + " of the " + service + " cannot be used: " + e.getMessage() + ".",
                    e);
        }
    }

    /** Returns a free port. The kernel does not soon give it to a connection, and hardly ever to another listener. */
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
