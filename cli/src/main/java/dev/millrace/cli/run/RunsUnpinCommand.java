package dev.millrace.cli.run;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace runs unpin}: lets runs go when their time has come. */
@Command(name = "unpin", description = "Let pinned runs go when they are old, which may be at once.")
public final class RunsUnpinCommand extends PinningCommand {
    public RunsUnpinCommand(Terminal terminal) {
        super(terminal, ":unpin", "Run %s goes when its time has come.");
    }
}
