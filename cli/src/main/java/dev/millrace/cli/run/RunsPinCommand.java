package dev.millrace.cli.run;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace runs pin}: keeps runs. */
@Command(name = "pin", description = "Keep runs with their steps and logs, however old they become.")
public final class RunsPinCommand extends PinningCommand {
    public RunsPinCommand(Terminal terminal) {
        super(terminal, ":pin", "Run %s stays until you unpin it.");
    }
}
