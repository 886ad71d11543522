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

/** {@code millrace runs restart}: runs the same anew. */
@Command(name = "restart", description = "Begin a new run of the same, with the same input or another one.")
public final class RunsRestartCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run.")
    private String runId = "";

    @Mixin
    private NewInput input = new NewInput();

    @Mixin
    private OperationNote note = new OperationNote();

    public RunsRestartCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = note.body();
        input.addTo(body);
        JsonNode run = client.post(ApiPath.of("/runs").child(runId).then(":restart"), body);
        if (wantsJson()) {
            printJson(run);
        } else {
            print(Json.text(run, "id"));
            terminal().err().println("Follow it with: ./millrace runs watch " + Json.text(run, "id"));
        }
        return ExitCode.OK;
    }
}
