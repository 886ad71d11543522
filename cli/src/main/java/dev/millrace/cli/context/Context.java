package dev.millrace.cli.context;

import dev.millrace.cli.client.Connection;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A server with what its caller needs there.
 *
 * @param caFile absolute path; absent means the authorities that the machine trusts
 */
public record Context(URI server, Optional<String> workspace, Optional<String> token, Optional<Path> caFile) {
    public Context {
        Connection.requireUrl(server);
        workspace.ifPresent(Connection::requireName);
        caFile = caFile.map(Path::toAbsolutePath);
    }

    public static Context of(URI server) {
        return new Context(server, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public Context withToken(Optional<String> other) {
        return new Context(server, workspace, other, caFile);
    }

    /** Hides the token, so that no message shows it. */
    @Override
    public String toString() {
        return "context of " + server;
    }
}
