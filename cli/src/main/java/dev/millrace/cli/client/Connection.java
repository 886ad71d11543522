package dev.millrace.cli.client;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Server that a client calls, and what the client shows and demands there. No connection carries a token over plain
 * HTTP beyond the own machine.
 *
 * @param workspace absent means the one that the short addresses of the gateway stand for
 * @param caFile PEM file with the only authorities whose certificates the server may have; absent means those that the
 *     machine trusts
 */
public record Connection(URI server, Optional<String> workspace, Optional<Token> token, Optional<Path> caFile) {
    private static final Pattern SCHEME = Pattern.compile("(?i)https?");
    private static final Pattern LOOPBACK =
            Pattern.compile("(?i)localhost|.+\\.localhost|127(\\.\\d{1,3}){3}|\\[::1\\]|\\[(0{1,4}:){7}0{0,3}1\\]");
    private static final Pattern WORKSPACE = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    public Connection {
        requireUrl(server);
        workspace.ifPresent(Connection::requireName);
        token.ifPresent(shown -> requireSafe(server, "The " + shown));
    }

    /** Checks that nobody on the way can read a token. */
    public static void requireSafe(URI server, String token) {
        if (isPlain(server) && !isLoopback(server)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    token + " would travel unencrypted to " + server + ", where others can read it on the way. Give the"
                            + " gateway a certificate and name its address as https://" + server.getHost()
                            + ", or open a tunnel and call localhost.");
        }
    }

    /** A connection without a token, to the workspace of short addresses. */
    public static Connection to(URI server) {
        return new Connection(server, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public Connection with(Optional<Token> other) {
        return new Connection(server, workspace, other, caFile);
    }

    /** Checks that the address is one of HTTP. */
    public static URI requireUrl(URI server) {
        if (server.getHost() == null
                || server.getScheme() == null
                || !SCHEME.matcher(server.getScheme()).matches()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The server address '" + server
                            + "' is not an http or https URL. Write it like http://localhost:8400.");
        }
        return server;
    }

    /** Checks the name of a workspace. */
    public static String requireName(String workspace) {
        if (!WORKSPACE.matcher(workspace).matches()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The workspace '" + workspace
                            + "' is no name (expected: 1 to 64 characters a-z, 0-9, '_' and '-', the first a letter or"
                            + " digit). Name one with --workspace or MILLRACE_WORKSPACE.");
        }
        return workspace;
    }

    /** Whether both addresses lead to the same server, however they are written. */
    public static boolean isSameServer(URI one, URI other) {
        return normal(one).equals(normal(other));
    }

    boolean isPlain() {
        return isPlain(server);
    }

    private static boolean isPlain(URI server) {
        return "http".equalsIgnoreCase(server.getScheme());
    }

    private static boolean isLoopback(URI server) {
        return LOOPBACK.matcher(server.getHost()).matches();
    }

    private static String normal(URI server) {
        int port = server.getPort() >= 0 ? server.getPort() : isPlain(server) ? 80 : 443;
        String path = String.valueOf(server.getPath()).replaceAll("/+$", "");
        return (server.getScheme() + "://" + server.getHost()).toLowerCase(Locale.ROOT) + ":" + port + path;
    }
}
