package dev.millrace.cli.login;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.context.Choice;
import dev.millrace.cli.context.Connections;
import dev.millrace.cli.context.Context;
import dev.millrace.cli.context.Contexts;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * Where a person logs in, and the context that keeps the token.
 *
 * @param name name of the context, which may be new
 * @param context what the context will hold, without a token
 */
record LoginTarget(String name, Context context) {
    /**
     * Chooses the context that is named or current if it is one of the server, else any other of the server, else a
     * new one.
     */
    static LoginTarget choose(Choice options, Map<String, String> environment, Contexts contexts) {
        Optional<String> isNew =
                options.context().filter(name -> contexts.find(name).isEmpty());
        Choice known = isNew.isPresent()
                ? new Choice(options.server(), Optional.empty(), options.workspace(), options.caFile())
                : options;
        Connections.Chosen chosen = Connections.choose(known, environment, contexts);
        if (isNew.isPresent() && options.server().isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "There is no context '" + isNew.get() + "', and no server for a new one. Add: --server URL");
        }
        Connection connection = chosen.connection();
        String name = isNew.or(chosen::context)
                .or(() -> other(connection.server(), contexts))
                .orElseGet(() -> free(connection.server(), contexts));
        Optional<Context> before = contexts.find(name);
        return new LoginTarget(
                Contexts.requireName(name),
                new Context(
                        connection.server(),
                        options.workspace().or(() -> before.flatMap(Context::workspace)),
                        Optional.empty(),
                        connection.caFile().or(() -> before.flatMap(Context::caFile))));
    }

    /** The connection for the login itself, which shows no token. */
    Connection connection() {
        return new Connection(context.server(), Optional.empty(), Optional.empty(), context.caFile());
    }

    private static Optional<String> other(URI server, Contexts contexts) {
        return contexts.byName().entrySet().stream()
                .filter(entry -> Connection.isSameServer(entry.getValue().server(), server))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** A name after the host of the server that no context has. */
    private static String free(URI server, Contexts contexts) {
        String host = server.getHost().replaceAll("[^A-Za-z0-9._-]", "");
        String name = host.matches("[A-Za-z0-9].{0,90}") ? host : "server";
        String candidate = name;
        for (int number = 2; contexts.find(candidate).isPresent(); number++) {
            candidate = name + "-" + number;
        }
        return candidate;
    }
}
