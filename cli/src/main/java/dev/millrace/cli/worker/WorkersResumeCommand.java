package dev.millrace.cli.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace workers resume}: lets a drained worker get jobs again. */
@Command(name = "resume", description = "Let a drained worker get jobs again; for owners of the installation.")
public final class WorkersResumeCommand extends ChangingWorker {
    public WorkersResumeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode resumed = client.post(WORKERS.then(":resume"), Json.object().put("session_id", session(client)));
        printResult(resumed, "The worker " + worker() + " gets jobs.");
        return ExitCode.OK;
    }
}
