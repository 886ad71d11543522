package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs iterations}: lists the iterations of a loop. */
@Command(name = "iterations", description = "List the iterations of a loop that have begun.")
public final class RunsIterationsCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Parameters(index = "1", paramLabel = "LOOP", description = "Key of the loop, for example count.")
    private String loop = "";

    @Option(
            names = "--state",
            split = ",",
            paramLabel = "STATE",
            description = "Only iterations in these states: queued, running, succeeded, failed, canceled, skipped.")
    private List<String> states = List.of();

    @Option(names = "--from", paramLabel = "NUMBER", description = "Number of the first iteration (default: 0).")
    private int from;

    @Option(
            names = "--limit",
            paramLabel = "NUMBER",
            defaultValue = "100",
            description = "Maximum number of iterations (default: 100).")
    private int limit;

    public RunsIterationsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        ApiPath path = ApiPath.of("/runs")
                .child(runId)
                .then("/iterations")
                .with("loop", loop)
                .with("from_number", Integer.toString(from));
        for (String state : states) {
            path = path.with("state", state);
        }
        Table table = new Table("ITERATION", "STATE", "BEGAN", "TOOK");
        printList(
                client.list(path, limit),
                "The run has no such iterations.",
                table,
                json -> table.row(
                        Json.text(json, "key"),
                        Json.text(json, "state"),
                        Json.instant(json, "start_time").map(Times::text).orElse(""),
                        took(json).map(Durations::text).orElse("")));
        return ExitCode.OK;
    }

    private static Optional<Duration> took(JsonNode iteration) {
        Optional<Instant> end = Json.instant(iteration, "end_time");
        return Json.instant(iteration, "start_time").flatMap(start -> end.map(to -> Duration.between(start, to)));
    }
}
