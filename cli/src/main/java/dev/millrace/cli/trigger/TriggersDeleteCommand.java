package dev.millrace.cli.trigger;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace triggers delete}: deletes a trigger with its history. */
@Command(name = "delete", description = "Delete a trigger with its history. Runs that it has started go on.")
public final class TriggersDeleteCommand extends NamedTrigger {
    public TriggersDeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(client.delete(kind().one(path())), "Deleted " + named() + ".");
        return ExitCode.OK;
    }
}
