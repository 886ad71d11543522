package dev.millrace.cli.run;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs waits}: lists what a run waits for. */
@Command(name = "waits", description = "List what a run waits for.")
public final class RunsWaitsCommand extends ClientCommand {
    static final int WAITS_MAX = 1_000;

    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    public RunsWaitsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        StepKeys keys = new StepKeys(client, runId);
        Table table = new Table("STEP", "WAITS FOR", "NAME", "CAME", "SINCE?", "UNTIL?", "TITLE");
        printList(
                client.list(ApiPath.of("/runs").child(runId).then("/waits"), WAITS_MAX),
                "The run waits for nothing.",
                table,
                json -> table.row(
                        keys.shown(Json.text(json, "step")),
                        Json.text(json, "kind"),
                        Json.text(json, "name"),
                        json.path("required").asInt() == 0
                                ? ""
                                : json.path("received").asInt() + " of "
                                        + json.path("required").asInt(),
                        Json.instant(json, "create_time").map(Times::text).orElse(""),
                        Json.instant(json, "end_time").map(Times::text).orElse(""),
                        Json.text(json.path("details"), "title")));
        return ExitCode.OK;
    }
}
