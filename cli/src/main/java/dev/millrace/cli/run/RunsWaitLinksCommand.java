package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs wait-links}: signs links for the people that a step waits for. */
@Command(name = "wait-links", description = "Sign links with which people can answer a step; POST to one to answer.")
public final class RunsWaitLinksCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Parameters(index = "1", paramLabel = "STEP", description = "Key of the step; it need not wait yet.")
    private String step = "";

    @Option(
            names = "--for",
            paramLabel = "NAME",
            required = true,
            description = "Person who gets links, which answer in this name. Repeatable.")
    private List<String> actors = List.of();

    @Option(
            names = "--valid-for",
            paramLabel = "DURATION",
            description = "How long the links are valid, for example 30m or 12h (default: 720h, 30 days).")
    private @Nullable String validFor;

    public RunsWaitLinksCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        ObjectNode body = Json.object().put("step", new StepKeys(client, runId).numbered(step));
        ArrayNode names = body.putArray("actors");
        actors.forEach(names::add);
        if (validFor != null) {
            body.put("valid_for", validFor);
        }
        JsonNode created = client.post(ApiPath.of("/runs").child(runId).then("/wait-links"), body);
        List<JsonNode> links = new ArrayList<>();
        created.path("items").forEach(links::add);
        String server = client.server().toString().replaceAll("/+$", "");
        Table table = new Table("FOR", "ANSWER", "LINK!");
        printList(links, "There are no links.", table, json -> {
            String actor = Json.text(json, "actor");
            table.row(actor, "accept", server + Json.text(json, "accept_path"));
            table.row(actor, "deny", server + Json.text(json, "deny_path"));
        });
        return ExitCode.OK;
    }
}
