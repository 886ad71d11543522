package dev.millrace.cli.login;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.identity.TokenText;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code millrace whoami}: shows the caller, its roles, and what the token allows. */
@Command(name = "whoami", description = "Show who you are at the server, your roles, and what your token allows.")
public final class WhoamiCommand extends ClientCommand {
    private static final int TOKENS_MAX = 10_000;

    public WhoamiCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode caller = client.get(ApiPath.shared("/whoami"));
        Optional<JsonNode> token = token(client, Json.text(caller, "token_id"));
        if (wantsJson()) {
            ObjectNode json = Json.object();
            json.setAll((ObjectNode) caller);
            token.ifPresent(details -> json.set("token", details));
            printJson(json);
            return ExitCode.OK;
        }
        print("You are " + name(caller) + " at " + client.server() + ".");
        token.ifPresent(details -> print("Your token: " + TokenText.of(details)));
        String cut = TokenText.restrictions(caller);
        if (token.isEmpty() && !cut.isEmpty()) {
            print("Your token is only for " + cut + ".");
        }
        printRoles(caller);
        return ExitCode.OK;
    }

    /** Who called, as a phrase. */
    static String name(JsonNode caller) {
        JsonNode principal = caller.path("principal");
        String name = ControlCharacters.line(Json.text(principal, "name"));
        return switch (Json.text(principal, "kind")) {
            case "local" -> "the user of this machine, who needs no token";
            case "service_account" ->
                "service account " + name + " of workspace "
                        + ControlCharacters.line(Json.text(principal, "workspace"));
            case "user" -> "user " + name;
            default -> ControlCharacters.line(Json.text(principal, "kind")) + " " + name;
        };
    }

    private void printRoles(JsonNode caller) {
        if (caller.path("roles").isEmpty()) {
            print("You have no role: ask an admin of a workspace for one.");
            return;
        }
        Table table = new Table("ROLE", "WORKSPACE", "FOLDER", "GIVEN TO?");
        caller.path("roles")
                .forEach(role -> table.row(
                        Json.text(role, "role"),
                        role.has("workspace") ? Json.text(role, "workspace") : "(all)",
                        role.has("folder") ? Json.text(role, "folder") : "(all)",
                        Json.text(role, "subject")));
        printTable(table);
    }

    /** The token of the call; empty for callers without one, and for those whose tokens are not theirs to list. */
    private static Optional<JsonNode> token(MillraceClient client, String id) {
        return id.isEmpty()
                ? Optional.empty()
                : client.list(ApiPath.shared("/tokens"), TOKENS_MAX).stream()
                        .filter(token -> Json.text(token, "id").equals(id))
                        .findFirst();
    }
}
