package dev.millrace.cli.definition;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace scripts delete}: lets a path lead nowhere. */
@Command(
        name = "delete",
        description = "Delete a script: new runs of it are refused. Refused itself while the script is used.")
public final class ScriptsDeleteCommand extends DeletingCommand {
    public ScriptsDeleteCommand(Terminal terminal) {
        super(terminal, "script");
    }
}
