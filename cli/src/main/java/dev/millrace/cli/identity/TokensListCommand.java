package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.time.Instant;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace tokens list}: lists tokens without their texts. */
@Command(name = "list", description = "List tokens, newest first: yours, or those that you may revoke.")
public final class TokensListCommand extends ClientCommand {
    private static final int TOKENS_MAX = 10_000;

    @ArgGroup
    private Which which = new Which();

    private static final class Which {
        @Option(
                names = "--of-workspace",
                description = "Those of the service accounts and workers of the workspace; for its admins.")
        private boolean isOfWorkspace;

        @Option(names = "--all", description = "All of the installation; for its owners.")
        private boolean isAll;
    }

    public TokensListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Instant now = Instant.now();
        Table table =
                new Table("ID!", "NAME", "OF", "KIND?", "STATE", "EXPIRES", "LAST USED?", "ONLY FOR?", "ISSUED BY?");
        printList(
                client.list(path(client), TOKENS_MAX),
                "There is no token. Create one with: " + Launcher.NAME + " tokens create --name PURPOSE",
                table,
                token -> table.row(
                        Json.text(token, "id"),
                        Json.text(token, "name"),
                        Json.text(token, "principal"),
                        Json.text(token, "kind").replace('_', ' '),
                        TokenText.state(token, now),
                        expiry(token),
                        Times.text(Json.text(token, "last_use_time")),
                        TokenText.restrictions(token),
                        Json.text(token, "created_by")));
        return ExitCode.OK;
    }

    private ApiPath path(MillraceClient client) {
        ApiPath tokens = ApiPath.shared("/tokens");
        if (which.isAll) {
            return tokens.with("all", "true");
        }
        return which.isOfWorkspace ? tokens.with("workspace", client.workspace()) : tokens;
    }

    private static String expiry(JsonNode token) {
        return token.has("expire_time") ? Times.text(Json.text(token, "expire_time")) : "never";
    }
}
