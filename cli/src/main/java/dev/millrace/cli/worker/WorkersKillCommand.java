package dev.millrace.cli.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace workers kill}: lets a worker for trials crash. */
@Command(
        name = "kill",
        description = {
            "Let a worker crash, to see that no run is lost; for owners of the installation.",
            "",
            "Only workers for trials obey: that of 'millrace dev'. Another worker takes its place, and the jobs of the"
                    + " killed one run again."
        })
public final class WorkersKillCommand extends ChangingWorker {
    public WorkersKillCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode killed = client.post(WORKERS.then(":kill"), Json.object().put("session_id", session(client)));
        printResult(
                killed,
                "Killed the worker " + worker() + ". Its jobs run again within seconds: " + Launcher.NAME
                        + " runs list --state running");
        return ExitCode.OK;
    }
}
