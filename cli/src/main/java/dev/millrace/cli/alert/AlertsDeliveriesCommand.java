package dev.millrace.cli.alert;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace alerts deliveries}: lists the messages of an alert. */
@Command(name = "deliveries", description = "List the messages of an alert, newest first.")
public final class AlertsDeliveriesCommand extends AlertsCommand.OfOne {
    @Option(names = "--state", paramLabel = "STATE", description = "Only those that are pending, delivered or dead.")
    private @Nullable String state;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many messages at most (default: 50).")
    private int limit = 50;

    public AlertsDeliveriesCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("ID!", "CREATED", "EVENT", "STATE", "ATTEMPTS>", "STATUS?", "NEXT?", "ERROR?");
        printList(
                client.list(alert().then("/deliveries").withIfGiven("state", state), limit),
                "The alert has no such message.",
                table,
                delivery -> table.row(
                        Json.text(delivery, "id"),
                        Times.text(Json.text(delivery, "create_time")),
                        Json.text(delivery, "event_type"),
                        Json.text(delivery, "state"),
                        Json.text(delivery, "attempts"),
                        Json.text(delivery, "status"),
                        Times.text(Json.text(delivery, "next_time")),
                        Json.text(delivery, "error")));
        return ExitCode.OK;
    }
}
