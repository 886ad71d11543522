package dev.millrace.cli.context;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code millrace contexts list}: lists the user's contexts. */
@Command(name = "list", description = "List contexts; the current one has a star.")
public final class ContextsListCommand extends ContextCommand {
    public ContextsListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void execute(ContextsFile file) {
        Contexts contexts = file.read();
        List<JsonNode> items = contexts.byName().keySet().stream()
                .<JsonNode>map(name -> ContextJson.of(contexts, name))
                .toList();
        Table table = new Table("", "NAME", "SERVER!", "WORKSPACE", "TOKEN?");
        printList(
                items,
                "There are no contexts. Make one with: " + Launcher.NAME + " login --server URL",
                table,
                json -> table.row(
                        json.path("current").asBoolean() ? "*" : "",
                        Json.text(json, "name"),
                        Json.text(json, "server"),
                        Json.text(json, "workspace"),
                        json.path("has_token").asBoolean() ? "yes" : "no"));
    }
}
