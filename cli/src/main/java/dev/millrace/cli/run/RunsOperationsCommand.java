package dev.millrace.cli.run;

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

/** {@code millrace runs operations}: lists who did what to a run, and why. */
@Command(name = "operations", description = "List what was done to a run, by whom and why.")
public final class RunsOperationsCommand extends ClientCommand {
    private static final int OPERATIONS_MAX = 10_000;

    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    public RunsOperationsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        Table table = new Table("TIME?", "OPERATION", "WHO", "WHY", "DETAILS");
        printList(
                client.list(ApiPath.of("/runs").child(runId).then("/operations"), OPERATIONS_MAX),
                "There were no operations on the run. Its answers and repeated attempts: " + Launcher.NAME
                        + " runs history " + runId,
                table,
                json -> table.row(
                        Json.instant(json, "create_time").map(Times::text).orElse(""),
                        Json.text(json, "operation"),
                        Json.text(json, "actor"),
                        Json.text(json, "reason"),
                        json.path("details").isEmpty() ? "" : Json.compact(json.path("details"))));
        return ExitCode.OK;
    }
}
