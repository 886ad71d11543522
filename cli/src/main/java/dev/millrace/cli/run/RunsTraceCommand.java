package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.SpanTree;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace runs trace}: shows how a run spent its time. */
@Command(
        name = "trace",
        description = "Show how a run spent its time, as a tree of spans with their begin after that of the run and"
                + " their duration.")
public final class RunsTraceCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    public RunsTraceCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        JsonNode trace = client.get(ApiPath.of("/runs").child(runId).then("/trace"));
        if (wantsJson()) {
            printJson(trace);
            return ExitCode.OK;
        }
        String traceId = Json.text(trace, "trace_id");
        print(traceId.isEmpty() ? "The run was not traced; these are the spans of its history." : "Trace " + traceId);
        new SpanTree(trace.path("spans"), terminal().paint()).lines().forEach(this::print);
        if (trace.path("truncated").asBoolean()) {
            print("The run has further spans, which are not shown.");
        }
        return ExitCode.OK;
    }
}
