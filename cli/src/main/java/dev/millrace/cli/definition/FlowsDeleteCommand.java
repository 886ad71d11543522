package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace flows delete}: lets a path lead nowhere. */
@Command(
        name = "delete",
        description = "Delete a flow: new runs of it are refused. Refused itself while the flow is used.")
public final class FlowsDeleteCommand extends ClientCommand {
    @Parameters(paramLabel = "PATH", description = "Path of the flow.")
    private String path = "";

    @Option(names = "--force", description = "Delete it even if it is used; runs in progress go on.")
    private boolean force;

    public FlowsDeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ApiPath target = ApiPath.of("/flows").child(path);
        JsonNode flow = client.delete(force ? target.with("force", "true") : target);
        if (wantsJson()) {
            printJson(flow);
        } else {
            print("Deleted flow " + path + ". Runs in progress go on; its last version was "
                    + flow.path("hash").asText() + ".");
        }
        return ExitCode.OK;
    }
}
