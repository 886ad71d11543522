package dev.millrace.cli.trigger;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace triggers resume}: resumes a trigger. */
@Command(name = "resume", description = "Resume a trigger, which acts for you from then on.")
public final class TriggersResumeCommand extends NamedTrigger {
    public TriggersResumeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(client.patch(kind().one(path()), Json.object().put("paused", false)), "Resumed " + named() + ".");
        return ExitCode.OK;
    }
}
