package dev.millrace.cli.context;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Connection;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What one source says about the server that a command calls. Options of the command come before environment variables,
 * and both before the current context.
 *
 * @param context name of a context
 */
public record Choice(
        Optional<URI> server, Optional<String> context, Optional<String> workspace, Optional<Path> caFile) {
    /** What the environment variables say. Empty variables count as unset. */
    static Choice of(Map<String, String> environment) {
        return new Choice(
                variable(environment, "MILLRACE_SERVER").map(Choice::url),
                variable(environment, "MILLRACE_CONTEXT"),
                variable(environment, "MILLRACE_WORKSPACE"),
                variable(environment, "MILLRACE_CA_FILE").map(Path::of));
    }

    static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    private static URI url(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException notAUrl) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The server address '" + text + "' of MILLRACE_SERVER is not an http or https URL. Write it like"
                            + " http://localhost:8400.",
                    notAUrl);
        }
    }

    /** The server and the context that this source names, if it names any. The context may be one of a lower source. */
    Optional<Place> place(Contexts contexts, Optional<String> lowerContext) {
        if (context.isPresent()) {
            Context named = contexts.require(context.get());
            requireSame(named);
            return Optional.of(new Place(named.server(), context));
        }
        return server.map(address -> new Place(
                address,
                lowerContext.filter(name -> contexts.find(name)
                        .filter(other -> Connection.isSameServer(other.server(), address))
                        .isPresent())));
    }

    private void requireSame(Context named) {
        if (server.isPresent() && !Connection.isSameServer(server.get(), named.server())) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The context '" + context.orElseThrow() + "' is one of " + named.server() + ", but you name the"
                            + " server " + server.get() + ", too. Leave one of them out.");
        }
    }

    /**
     * A server and the context with which it is called. A context counts for its own server only, so that its token
     * gets to no other.
     */
    record Place(URI server, Optional<String> context) {}
}
