package dev.millrace.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace queues activity}: shows what a workspace did in the last minutes. */
@Command(
        name = "activity",
        description =
                "Show by the minute how many runs of the workspace have begun and ended, and how long jobs waited.")
public final class QueuesActivityCommand extends ClientCommand {
    private static final int MINUTES_DEFAULT = 60;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Number of minutes, at most 1440; ${DEFAULT-VALUE} unless given.")
    private int minutes = MINUTES_DEFAULT;

    public QueuesActivityCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode activity = client.get(ApiPath.of("/activity").with("minutes", Integer.toString(minutes)));
        if (wantsJson()) {
            printJson(activity);
            return ExitCode.OK;
        }
        List<JsonNode> busy = activity.path("minutes")
                .valueStream()
                .filter(QueuesActivityCommand::isBusy)
                .toList();
        Table table =
                new Table("MINUTE", "ACCEPTED>", "SUCCEEDED>", "FAILED>", "CANCELED>", "JOBS>", "WAITED>", "95 %>");
        printList(
                busy,
                "Nothing has happened in the last " + minutes + " minutes.",
                table,
                minute -> table.row(
                        Times.text(Json.text(minute, "start_time")),
                        minute.path("runs_accepted").asText(),
                        minute.path("runs_succeeded").asText(),
                        minute.path("runs_failed").asText(),
                        minute.path("runs_canceled").asText(),
                        minute.path("waits").path("jobs").asText(),
                        Json.text(minute.path("waits"), "median"),
                        Json.text(minute.path("waits"), "p95")));
        return ExitCode.OK;
    }

    private static boolean isBusy(JsonNode minute) {
        return minute.path("runs_accepted").asLong()
                        + minute.path("runs_succeeded").asLong()
                        + minute.path("runs_failed").asLong()
                        + minute.path("runs_canceled").asLong()
                        + minute.path("waits").path("jobs").asLong()
                > 0;
    }
}
