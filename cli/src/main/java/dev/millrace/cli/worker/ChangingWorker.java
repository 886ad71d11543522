package dev.millrace.cli.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** Base of commands that act on one worker. */
abstract class ChangingWorker extends ClientCommand {
    static final ApiPath WORKERS = ApiPath.shared("/workers");

    @Parameters(index = "0", paramLabel = "WORKER", description = "Name or session of the worker, such as local.")
    private String worker = "";

    ChangingWorker(Terminal terminal) {
        super(terminal);
    }

    /** The worker as the user names it. */
    final String worker() {
        return worker;
    }

    /** The session of the worker, which must be the only one with its name. */
    final String session(MillraceClient client) {
        List<String> sessions = list(client).stream()
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
                        ? "No worker named " + worker + " is connected. List them with: " + Launcher.NAME
                                + " workers list"
                        : sessions.size() + " workers are named " + worker + ". Name a session instead: "
                                + String.join(", ", sessions));
    }

    /** The worker with this session; empty if it is not connected. */
    static Optional<JsonNode> find(MillraceClient client, String session) {
        return list(client).stream()
                .filter(found -> session.equals(found.path("session_id").asText()))
                .findFirst();
    }

    private static List<JsonNode> list(MillraceClient client) {
        return client.list(WORKERS, WorkersListCommand.WORKERS_MAX);
    }
}
