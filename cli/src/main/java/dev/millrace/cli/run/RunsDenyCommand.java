package dev.millrace.cli.run;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace runs deny}: denies a step that waits for people. */
@Command(name = "deny", description = "Deny a step that waits for people.")
public final class RunsDenyCommand extends AnsweringCommand {
    public RunsDenyCommand(Terminal terminal) {
        super(terminal, "deny", "denied");
    }
}
