package dev.millrace.cli.trigger;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace triggers get}: shows a trigger with its last changes. */
@Command(name = "get", description = "Show a trigger with its last changes, as JSON.")
public final class TriggersGetCommand extends NamedTrigger {
    public TriggersGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printJson(client.get(kind().one(path())));
        return ExitCode.OK;
    }
}
