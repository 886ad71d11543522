package dev.millrace.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.time.Instant;
import picocli.CommandLine.Command;

/** {@code millrace queues limits}: lists the lines that wait for limits. */
@Command(name = "limits", description = "List the lines in which jobs and runs of the workspace wait for limits.")
public final class QueuesLimitsCommand extends ClientCommand {
    private static final int LINES_MAX = 10_000;

    public QueuesLimitsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Instant now = Instant.now();
        Table table = new Table("KIND", "KEY", "FLOW", "WAITING>", "RUNNING>", "LIMIT", "FIRST FOR>", "FIRST RUN?");
        printList(
                client.list(ApiPath.of("/limits"), LINES_MAX),
                "No job or run waits for a limit, or has been let through by one.",
                table,
                line -> table.row(
                        Json.text(line, "kind"),
                        Json.text(line, "key"),
                        Json.text(line, "flow"),
                        QueueText.counted(line),
                        line.path("running").asText(),
                        limit(line),
                        QueueText.age(line, "first_time", now),
                        Json.text(line, "first_run_id")));
        return ExitCode.OK;
    }

    private static String limit(JsonNode line) {
        String max = line.has("max") ? line.path("max").asText() + " at a time" : "";
        JsonNode rate = line.path("rate");
        String begins = rate.has("count") ? rate.path("count").asText() + " per " + Json.text(rate, "per") : "";
        return max + (max.isEmpty() || begins.isEmpty() ? "" : ", ") + begins;
    }
}
