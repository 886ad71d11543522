package dev.millrace.cli.client;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Launcher;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Says in plain words why no answer came from a server. */
final class Unreachable {
    private static final String ANOTHER = " Name the gateway's address with --server or MILLRACE_SERVER.";

    /** What a client of HTTP/1.1 quotes of the frame with which a server of HTTP/2 begins, as all of gRPC do: its length, and its type. */
    private static final String FIRST_FRAME = "receiving [\0\0";

    private Unreachable() {}

    /** @param answerMax how long the client has waited if the server was silent */
    static CommandFailure because(IOException cause, URI server, Duration answerMax) {
        return new CommandFailure(ExitCode.UNREACHABLE, why(cause, server, answerMax), cause);
    }

    private static String why(IOException cause, URI server, Duration answerMax) {
        if (cause instanceof HttpConnectTimeoutException) {
            return "Cannot connect to " + server + ": the machine is down, a firewall blocks the connection,"
                    + " or the server there does not speak " + server.getScheme() + "." + ANOTHER;
        }
        if (cause instanceof HttpTimeoutException) {
            return "The server at " + server + " has not answered for " + answerMax.toSeconds()
                    + " s: it hangs, or the network drops its traffic. Check the server and try again.";
        }
        if (cause instanceof SSLException) {
            return "The TLS handshake with " + server + " failed (" + cause.getMessage()
                    + "). Check whether the address must begin with http: or https:, and whether this"
                    + " machine trusts the server's certificate. Name the certificate of a private authority with"
                    + " --ca-file or MILLRACE_CA_FILE.";
        }
        if (isCausedBy(cause, UnresolvedAddressException.class)) {
            return "The host name \"" + server.getHost() + "\" cannot be resolved." + ANOTHER;
        }
        if (String.valueOf(cause.getMessage()).contains(FIRST_FRAME)) {
            return "The server at " + server
                    + " speaks gRPC, as a scheduler does, and not HTTP. The gateway of a scheduler is"
                    + " usually at port 8400." + ANOTHER;
        }
        if (!(cause instanceof ConnectException)) {
            return "The server at " + server + " broke the connection or is not a Millrace gateway ("
                    + cause.getMessage() + ")." + ANOTHER;
        }
        return "No Millrace server answers at " + server + ". Start one with: " + Launcher.NAME + " dev"
                + " (or name another with --server or MILLRACE_SERVER).";
    }

    private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(type::isInstance);
    }
}
