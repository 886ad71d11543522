package dev.millrace.cli.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace audit list}: lists changes and refusals. */
@Command(name = "list", description = "List changes and refusals, newest first; for admins of the workspace.")
public final class AuditListCommand extends ClientCommand {
    @Mixin
    private AuditFilter filter = new AuditFilter();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many events at most (default: 50).")
    private int limit = 50;

    public AuditListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table(
                "TIME", "WHO", "ACTION!", "SUBJECT", "OUTCOME!", "WORKSPACE?", "ADDRESS?", "COUNT>?", "DETAIL?");
        printList(
                client.list(filter.path("/audit-events"), limit),
                "No event matches.",
                table,
                event -> table.row(
                        Times.text(Json.text(event, "time")),
                        Json.text(event, "principal"),
                        Json.text(event, "action"),
                        Json.text(event, "subject"),
                        Json.text(event, "outcome"),
                        Json.text(event, "workspace"),
                        Json.text(event, "address"),
                        event.path("count").asLong() > 1 ? Json.text(event, "count") : "",
                        detail(event)));
        return ExitCode.OK;
    }

    private static String detail(JsonNode event) {
        JsonNode detail = event.path("detail");
        return detail.isTextual() ? detail.asText() : detail.isEmpty() ? "" : Json.compact(detail);
    }
}
