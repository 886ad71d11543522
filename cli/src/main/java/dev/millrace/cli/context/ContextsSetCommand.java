package dev.millrace.cli.context;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace contexts set}: makes a context, or changes one. */
@Command(
        name = "set",
        description = {
            "Make a context, or change what the options name. Only `millrace contexts use` makes it the current one.",
            "",
            "A token comes into a context with `millrace login`. Another server takes the token away."
        })
public final class ContextsSetCommand extends ContextCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    private String name = "";

    @Option(names = "--server", paramLabel = "URL", description = "Address of the gateway; needed for a new context.")
    private @Nullable URI server;

    @Option(
            names = "--workspace",
            paramLabel = "NAME",
            description = "Workspace that commands are about; empty for the server's default.")
    private @Nullable String workspace;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Certificate of the private authority of the gateway, as PEM; empty for none.")
    private @Nullable String caFile;

    public ContextsSetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void execute(ContextsFile file) {
        Contexts contexts = file.update(before -> before.with(name, changed(before.find(name))));
        printResult(
                ContextJson.of(contexts, name),
                "Set the context " + name + " with " + contexts.require(name).server() + "."
                        + (contexts.current().filter(name::equals).isPresent()
                                ? " It is the current one."
                                : " Choose it with: " + Launcher.NAME + " contexts use " + name));
    }

    private Context changed(Optional<Context> before) {
        URI address = Optional.ofNullable(server)
                .map(Connection::requireUrl)
                .or(() -> before.map(Context::server))
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE, "The new context '" + name + "' needs a server. Add: --server URL"));
        Optional<Context> kept = before.filter(context -> Connection.isSameServer(context.server(), address));
        return new Context(
                address,
                workspace == null ? before.flatMap(Context::workspace) : given(workspace),
                kept.flatMap(Context::token),
                caFile == null ? before.flatMap(Context::caFile) : given(caFile).map(Path::of));
    }

    private static Optional<String> given(String option) {
        return Optional.of(option).filter(text -> !text.isEmpty());
    }
}
