package dev.millrace.cli;

import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** Base of commands that talk to a server: provides a connected client, and prints text or JSON. */
public abstract class ClientCommand extends OutputCommand {
    @Mixin
    private ClientOptions options = new ClientOptions();

    protected ClientCommand(Terminal terminal) {
        super(terminal);
    }

    protected abstract ExitCode execute(MillraceClient client);

    @Override
    public final Integer call() {
        options.showRawIfAsked(terminal());
        return connected(this::execute);
    }

    /** Executes something else than the command with a connected client, and returns the exit code. */
    protected final int connected(Function<MillraceClient, ExitCode> action) {
        try (MillraceClient client = options.connect(terminal().environment())) {
            return action.apply(client).number();
        }
    }

    @Override
    protected final boolean wantsJson() {
        return options.wantsJson();
    }
}
