package dev.millrace.cli.run;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace runs approve}: approves a step that waits for people. */
@Command(name = "approve", description = "Approve a step that waits for people.")
public final class RunsApproveCommand extends AnsweringCommand {
    public RunsApproveCommand(Terminal terminal) {
        super(terminal, "approve", "approved");
    }
}
