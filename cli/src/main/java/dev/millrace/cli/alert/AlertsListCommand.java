package dev.millrace.cli.alert;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code millrace alerts list}: lists alerts. */
@Command(name = "list", description = "List the alerts of the workspace.")
public final class AlertsListCommand extends ClientCommand {
    private static final int ALERTS_MAX = 1_000;

    public AlertsListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table =
                new Table("NAME!", "TYPES", "CHANNEL", "STATE", "WAITING>", "DEAD>", "FOLDER?", "PATH?", "TROUBLE?");
        printList(
                client.list(AlertsCommand.ALERTS, ALERTS_MAX),
                "There is no alert. Set one with: " + Launcher.NAME
                        + " alerts set NAME --type run.failed --slack-secret PATH",
                table,
                alert -> table.row(
                        Json.text(alert, "name"),
                        types(alert),
                        channel(alert),
                        alert.path("paused").asBoolean() ? "paused" : "active",
                        Json.text(alert, "waiting"),
                        Json.text(alert, "dead"),
                        Json.text(alert, "folder"),
                        Json.text(alert, "path"),
                        Json.text(alert, "trouble")));
        return ExitCode.OK;
    }

    private static String channel(JsonNode alert) {
        return Stream.of("webhook", "slack", "kafka")
                .filter(alert::has)
                .findFirst()
                .orElse("email");
    }

    private static String types(JsonNode alert) {
        List<String> types = new ArrayList<>();
        alert.path("types").forEach(type -> types.add(type.asText()));
        return String.join(",", types);
    }
}
