package dev.millrace.cli.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace triggers list}: lists triggers. */
@Command(name = "list", description = "List the triggers of the workspace.")
public final class TriggersListCommand extends ClientCommand {
    private static final int TRIGGERS_MAX = 100_000;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind: ${COMPLETION-CANDIDATES}.")
    private @Nullable TriggerKind kind;

    public TriggersListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("PATH!", "KIND", "STARTS", "STATE", "ADDRESS?", "FOR?", "DESCRIPTION?", "PROBLEM!");
        List<JsonNode> all = (kind == null ? Arrays.stream(TriggerKind.values()) : Stream.of(kind))
                .flatMap(each -> client.list(each.all(), TRIGGERS_MAX).stream())
                .toList();
        printList(
                all,
                "There is no trigger. Apply one with: " + Launcher.NAME + " triggers apply FILE",
                table,
                trigger -> table.row(
                        Json.text(trigger, "path"),
                        Json.text(trigger, "kind"),
                        target(trigger.path("run").path("target")),
                        state(trigger),
                        trigger.has(TriggerKind.webhook.text())
                                ? client.webhookAddress(Json.text(trigger, "path"))
                                : "",
                        Json.text(trigger, "actor"),
                        Json.text(trigger, "description"),
                        Json.text(trigger, "problem")));
        return ExitCode.OK;
    }

    private static String state(JsonNode trigger) {
        if (trigger.path("paused").asBoolean()) {
            return "paused";
        }
        return trigger.has("problem") ? "broken" : "active";
    }

    private static String target(JsonNode target) {
        return target.properties().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue().asText())
                .findFirst()
                .orElse("");
    }
}
