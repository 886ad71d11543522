package dev.millrace.cli.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace workers kill}: lets a worker for trials crash. */
@Command(
        name = "kill",
        description = {
            "Let a worker crash, to see that no run is lost; for owners of the installation.",
            "",
            "Only workers for trials obey: that of 'millrace dev'. Another worker takes its place, and the jobs of the"
                    + " killed one run again."
        })
public final class WorkersKillCommand extends ClientCommand {
    private static final ApiPath WORKERS = ApiPath.shared("/workers");

    @Parameters(index = "0", paramLabel = "WORKER", description = "Name or session of the worker, such as local.")
    private String worker = "";

    public WorkersKillCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode killed = client.post(WORKERS.then(":kill"), Json.object().put("session_id", session(client)));
        printResult(
                killed,
                "Killed the worker " + worker
                        + ". Its jobs run again within seconds: ./millrace runs list --state running");
        return ExitCode.OK;
    }

    private String session(MillraceClient client) {
        List<String> sessions = client.list(WORKERS, WorkersListCommand.WORKERS_MAX).stream()
                .filter(found -> worker.equals(found.path("name").asText())
                        || worker.equals(found.path("session_id").asText()))
                .map(found -> found.path("session_id").asText())
                .toList();
        if (sessions.size() == 1) {
            return sessions.getFirst();
        }
        throw new CommandFailure(
                sessions.isEmpty() ? ExitCode.NOT_FOUND : ExitCode.USAGE,
                sessions.isEmpty()
                        ? "No worker named " + worker + " is connected. List them with: ./millrace workers list"
                        : sessions.size() + " workers are named " + worker + ". Name a session instead: "
                                + String.join(", ", sessions));
    }
}
