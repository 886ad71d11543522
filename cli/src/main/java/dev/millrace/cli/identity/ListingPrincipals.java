package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;

/** Base of commands that list users or service accounts. */
abstract class ListingPrincipals extends ClientCommand {
    private static final int PRINCIPALS_MAX = 100_000;

    private final PrincipalKind kind;

    ListingPrincipals(Terminal terminal, PrincipalKind kind) {
        super(terminal);
        this.kind = kind;
    }

    @Override
    protected final ExitCode execute(MillraceClient client) {
        Table table = new Table("NAME!", "CREATED?", "STATE", "GROUPS", "ACTS FOR OTHERS?");
        printList(
                client.list(kind.collection(), PRINCIPALS_MAX),
                "There is no " + kind.phrase() + ". Create one with: " + Launcher.NAME + " " + kind.command()
                        + " create NAME",
                table,
                principal -> table.row(
                        Json.text(principal, "name"),
                        Times.text(Json.text(principal, "create_time")),
                        principal.has("disable_time") ? "disabled" : "enabled",
                        groups(principal),
                        principal.path("may_act_as").asBoolean() ? "yes" : "no"));
        return ExitCode.OK;
    }

    private static String groups(JsonNode principal) {
        return String.join(
                ",",
                principal.path("groups").valueStream().map(JsonNode::asText).toList());
    }
}
