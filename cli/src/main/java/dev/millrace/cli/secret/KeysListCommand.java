package dev.millrace.cli.secret;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;

/** {@code millrace keys list}: lists key-encryption keys. */
@Command(name = "list", description = "List the key-encryption keys of the server; for owners of the installation.")
public final class KeysListCommand extends ClientCommand {
    public KeysListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode answer = client.get(ApiPath.shared("/keys"));
        if (wantsJson()) {
            printJson(answer);
            return ExitCode.OK;
        }
        Table table = new Table("ID!", "STATE", "WORKSPACES>", "FIRST USED?");
        answer.path("items")
                .forEach(key -> table.row(
                        Json.text(key, "id"),
                        state(key),
                        Json.text(key, "workspaces"),
                        Times.text(Json.text(key, "create_time"))));
        printTable(table);
        long waiting = answer.path("values_waiting").asLong();
        if (waiting > 0) {
            print(waiting + " values wait to be encrypted again.");
        }
        return ExitCode.OK;
    }

    private static String state(JsonNode key) {
        if (!key.path("available").asBoolean()) {
            return "missing";
        }
        return key.path("current").asBoolean() ? "current" : "former";
    }
}
