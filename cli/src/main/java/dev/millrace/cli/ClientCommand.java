package dev.millrace.cli;

import static java.util.Objects.requireNonNull;

import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.RefusedRequest;
import dev.millrace.cli.output.Terminal;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base of commands that talk to a server: provides a connected client, and prints text or JSON. */
public abstract class ClientCommand extends OutputCommand {
    @Mixin
    private ClientOptions options = new ClientOptions();

    @Spec
    private @Nullable CommandSpec spec;

    protected ClientCommand(Terminal terminal) {
        super(terminal);
    }

    protected abstract ExitCode execute(MillraceClient client);

    /**
     * What the user of the command calls a field of the request that the server has refused: the field, unless the command
     * knows better.
     */
    protected String nameOf(String field) {
        return field;
    }

    /** The option or parameter of the command with the name of a field; the field itself if there is none. */
    protected final String optionOf(String field) {
        return OptionNames.of(requireNonNull(spec, "picocli sets spec"), field);
    }

    @Override
    public final Integer call() {
        options.showRawIfAsked(terminal());
        return connected(this::execute);
    }

    /** Executes something else than the command with a connected client, and returns the exit code. */
    protected final int connected(Function<MillraceClient, ExitCode> action) {
        try (MillraceClient client = options.connect(terminal().environment())) {
            return action.apply(client).number();
        } catch (RefusedRequest refused) {
            throw refused.naming(this::nameOf);
        }
    }

    @Override
    protected final boolean wantsJson() {
        return options.wantsJson();
    }
}
