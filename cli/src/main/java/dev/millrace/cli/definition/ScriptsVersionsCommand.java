package dev.millrace.cli.definition;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace scripts versions}: lists the versions to which the path of a script has led. */
@Command(name = "versions", description = "List who has deployed a script when, newest first.")
public final class ScriptsVersionsCommand extends VersionsCommand {
    public ScriptsVersionsCommand(Terminal terminal) {
        super(terminal, "script");
    }
}
