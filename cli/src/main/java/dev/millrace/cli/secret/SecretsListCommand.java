package dev.millrace.cli.secret;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;

/** {@code millrace secrets list}: lists secrets without their values. */
@Command(name = "list", description = "List the secrets of the workspace, without their values.")
public final class SecretsListCommand extends ClientCommand {
    private static final int SECRETS_MAX = 100_000;

    public SecretsListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("PATH!", "STORE", "VERSION>", "SET?", "SET BY?", "USED BY?", "DESCRIPTION?");
        printList(
                client.list(SecretsSetCommand.SECRETS, SECRETS_MAX),
                "There is no secret. Set one with: " + Launcher.NAME + " secrets set PATH",
                table,
                secret -> {
                    JsonNode latest = secret.path("versions").path(0);
                    table.row(
                            Json.text(secret, "path"),
                            Json.text(secret, "store"),
                            Json.text(secret, "version"),
                            Times.text(Json.text(latest, "create_time")),
                            Json.text(latest, "created_by"),
                            String.join(
                                    ",",
                                    secret.path("used_by")
                                            .valueStream()
                                            .map(JsonNode::asText)
                                            .toList()),
                            Json.text(secret, "description"));
                });
        return ExitCode.OK;
    }
}
