package dev.millrace.cli.run;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace runs complete}: completes a human task. */
@Command(name = "complete", description = "Hand in the result of a human task with --data.")
public final class RunsCompleteCommand extends AnsweringCommand {
    public RunsCompleteCommand(Terminal terminal) {
        super(terminal, "complete", "completed");
    }
}
