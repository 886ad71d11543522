package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs history}: lists what happened to a run besides the ends of its steps. */
@Command(
        name = "history",
        description = "List what happened to a run: operations, answers to its waits, and attempts that were repeated.")
public final class RunsHistoryCommand extends ClientCommand {
    private static final int ENTRIES_MAX = 10_000;

    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    public RunsHistoryCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        StepKeys keys = new StepKeys(client, runId);
        Table table = new Table("TIME", "WHAT", "STEP", "WHO", "WHY", "DETAILS?");
        printList(
                client.list(ApiPath.of("/runs").child(runId).then("/history"), ENTRIES_MAX),
                "Nothing happened to the run but what its steps did: see them with " + Launcher.NAME + " runs get "
                        + runId,
                table,
                json -> table.row(
                        Json.instant(json, "time").map(Times::text).orElse(""),
                        what(json),
                        keys.shown(Json.text(json, "step")),
                        Json.text(json, "who"),
                        Json.text(json, "why"),
                        json.path("details").isEmpty() ? "" : Json.compact(json.path("details"))));
        return ExitCode.OK;
    }

    private static String what(JsonNode entry) {
        return entry.path("kind").asText().equals("attempt")
                ? "attempt " + entry.at("/details/attempt").asInt() + ": " + Json.text(entry, "what")
                : Json.text(entry, "what");
    }
}
