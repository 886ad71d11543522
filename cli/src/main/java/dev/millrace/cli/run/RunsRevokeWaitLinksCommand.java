package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs revoke-wait-links}: makes links void that were signed for a step. */
@Command(
        name = "revoke-wait-links",
        description = "Make the links void that were signed for a step until now. Later links are valid.")
public final class RunsRevokeWaitLinksCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Parameters(index = "1", paramLabel = "STEP", description = "Key of the step.")
    private String step = "";

    @Option(
            names = "--for",
            paramLabel = "NAME",
            description = "Person whose links become void (default: everybody). Repeatable.")
    private List<String> actors = List.of();

    public RunsRevokeWaitLinksCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        ObjectNode body = Json.object().put("step", new StepKeys(client, runId).numbered(step));
        if (!actors.isEmpty()) {
            ArrayNode names = body.putArray("actors");
            actors.forEach(names::add);
        }
        printResult(
                client.post(ApiPath.of("/runs").child(runId).then("/wait-links:revoke"), body),
                "Revoked the links of " + (actors.isEmpty() ? "everybody" : String.join(", ", actors)) + " for step "
                        + step + ".");
        return ExitCode.OK;
    }
}
