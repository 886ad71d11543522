package dev.millrace.cli.trigger;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace triggers pause}: pauses a trigger. */
@Command(name = "pause", description = "Pause a trigger: it starts nothing until it is resumed.")
public final class TriggersPauseCommand extends NamedTrigger {
    public TriggersPauseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(client.patch(kind().one(path()), Json.object().put("paused", true)), "Paused " + named() + ".");
        return ExitCode.OK;
    }
}
