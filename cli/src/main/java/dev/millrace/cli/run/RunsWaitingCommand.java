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

/** {@code millrace runs waiting}: the steps of all runs that wait for people. */
@Command(name = "waiting", description = "List the steps of all runs that wait for people.")
public final class RunsWaitingCommand extends ClientCommand {
    private static final int WAITS_MAX = 10_000;

    public RunsWaitingCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("ID<", "FLOW", "STEP", "WAITS FOR", "CAME", "SINCE?", "UNTIL?", "TITLE");
        printList(
                client.list(ApiPath.of("/pending-waits"), WAITS_MAX),
                "No step waits for people.",
                table,
                json -> table.row(
                        Json.text(json, "run_id"),
                        Json.text(json, "run_name"),
                        Json.text(json, "step"),
                        Json.text(json, "kind"),
                        json.path("received").asInt() + " of "
                                + json.path("required").asInt(),
                        Json.instant(json, "create_time").map(Times::text).orElse(""),
                        Json.instant(json, "end_time").map(Times::text).orElse(""),
                        Json.text(json.path("details"), "title")));
        return ExitCode.OK;
    }
}
