package dev.millrace.cli.definition;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace flows versions}: lists the versions to which the path of a flow has led. */
@Command(name = "versions", description = "List who has deployed a flow when, newest first.")
public final class FlowsVersionsCommand extends VersionsCommand {
    public FlowsVersionsCommand(Terminal terminal) {
        super(terminal, "flow");
    }
}
