package dev.millrace.cli.alert;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace alerts}: commands for messages about events. */
@Command(
        name = "alerts",
        description = "Send messages about events to webhooks, to Slack and by mail, and look at what was sent.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            AlertsListCommand.class,
            AlertsCommand.Getting.class,
            AlertsSetCommand.class,
            AlertsCommand.Pausing.class,
            AlertsCommand.Resuming.class,
            AlertsCommand.Deleting.class,
            AlertsDeliveriesCommand.class,
            AlertsCommand.Replaying.class
        })
public final class AlertsCommand {
    static final ApiPath ALERTS = ApiPath.of("/alerts");

    /** Base of commands for one alert. */
    abstract static class OfOne extends ClientCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the alert.")
        private String name = "";

        OfOne(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected final String nameOf(String field) {
            return optionOf(field);
        }

        final String name() {
            return name;
        }

        final ApiPath alert() {
            return ALERTS.name(name);
        }
    }

    @Command(name = "get", description = "Show an alert.")
    static final class Getting extends OfOne {
        Getting(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printFacts(client.get(alert()));
            return ExitCode.OK;
        }
    }

    @Command(name = "pause", description = "Hold an alert back: its events and messages wait.")
    static final class Pausing extends OfOne {
        Pausing(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printResult(client.post(alert().then(":pause"), Json.object()), "Paused the alert " + name() + ".");
            return ExitCode.OK;
        }
    }

    @Command(name = "resume", description = "Let a paused alert go on where it was.")
    static final class Resuming extends OfOne {
        Resuming(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printResult(client.post(alert().then(":resume"), Json.object()), "Resumed the alert " + name() + ".");
            return ExitCode.OK;
        }
    }

    @Command(name = "delete", description = "Delete an alert with its messages.")
    static final class Deleting extends OfOne {
        Deleting(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printResult(client.delete(alert()), "Deleted the alert " + name() + ".");
            return ExitCode.OK;
        }
    }

    @Command(name = "replay", description = "Send messages again: one that has ended, or all that were given up.")
    static final class Replaying extends OfOne {
        @Option(names = "--id", paramLabel = "ID", description = "Only this message (default: all that were given up).")
        private @Nullable String id;

        Replaying(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            var answer = client.post(alert().then("/deliveries:replay").withIfGiven("id", id), Json.object());
            printResult(answer, "Messages that are sent again: " + Json.text(answer, "replayed") + ".");
            return ExitCode.OK;
        }
    }
}
