package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace runs rerun-from}: runs a part anew. */
@Command(name = "rerun-from", description = "Begin a new run at a step; what does not come after it is taken over.")
public final class RunsRerunFromCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run.")
    private String runId = "";

    @Parameters(index = "1", paramLabel = "STEP", description = "Key of the step, for example 'count[3].tokenize'.")
    private String step = "";

    @Mixin
    private NewInput input = new NewInput();

    @Mixin
    private OperationNote note = new OperationNote();

    public RunsRerunFromCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = note.body();
        body.put("step", step);
        input.addTo(body);
        JsonNode run = client.post(ApiPath.of("/runs").child(runId).then(":rerun"), body);
        if (wantsJson()) {
            printJson(run);
        } else {
            print(Json.text(run, "id"));
            terminal().err().println("Follow it with: ./millrace runs watch " + Json.text(run, "id"));
        }
        return ExitCode.OK;
    }
}
