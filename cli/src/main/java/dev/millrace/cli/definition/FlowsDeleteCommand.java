package dev.millrace.cli.definition;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace flows delete}: lets a path lead nowhere. */
@Command(
        name = "delete",
        description = "Delete a flow: new runs of it are refused. Refused itself while the flow is used.")
public final class FlowsDeleteCommand extends DeletingCommand {
    public FlowsDeleteCommand(Terminal terminal) {
        super(terminal, "flow");
    }
}
