package dev.millrace.cli.eventhandler;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace event-handlers}: commands for what is done with messages that steps publish. */
@Command(
        name = "event-handlers",
        description = "Start workflows and end their tasks with the messages that steps publish, as in Conductor.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            EventHandlersCommand.Listing.class,
            EventHandlersCommand.Getting.class,
            EventHandlersApplyCommand.class,
            EventHandlersCommand.Deleting.class,
            EventHandlersCommand.History.class
        })
public final class EventHandlersCommand {
    static final ApiPath HANDLERS = ApiPath.of("/event-handlers");
    private static final int HANDLERS_MAX = 1_000;

    /** Base of commands for one handler. */
    abstract static class OfOne extends ClientCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the handler.")
        private String name = "";

        OfOne(Terminal terminal) {
            super(terminal);
        }

        final String name() {
            return name;
        }
    }

    @Command(name = "list", description = "List event handlers.")
    static final class Listing extends ClientCommand {
        @Option(names = "--event", paramLabel = "EVENT", description = "Only handlers of this event.")
        private @Nullable String event;

        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            Table table = new Table("NAME!", "EVENT", "STATE", "ACTIONS", "FOR?");
            printList(
                    client.list(HANDLERS.withIfGiven("event", event), HANDLERS_MAX),
                    "There is no event handler. Apply one with: " + Launcher.NAME + " event-handlers apply FILE",
                    table,
                    handler -> table.row(
                            Json.text(handler, "path"),
                            Json.text(handler, "event"),
                            handler.path("active").asBoolean() ? "active" : "inactive",
                            String.join(
                                    ",",
                                    handler.path("definition").path("actions").findValuesAsText("action")),
                            Json.text(handler, "actor")));
            return ExitCode.OK;
        }
    }

    @Command(name = "get", description = "Show an event handler.")
    static final class Getting extends OfOne {
        Getting(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printFacts(client.get(HANDLERS.child(name())));
            return ExitCode.OK;
        }
    }

    @Command(name = "delete", description = "Delete an event handler with its history.")
    static final class Deleting extends OfOne {
        Deleting(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            printResult(client.delete(HANDLERS.child(name())), "Deleted the event handler " + name() + ".");
            return ExitCode.OK;
        }
    }

    @Command(name = "history", description = "List what an event handler has done with messages, the newest first.")
    static final class History extends OfOne {
        @Option(names = "--limit", paramLabel = "N", description = "Number of entries (default: ${DEFAULT-VALUE}).")
        private int limit = 20;

        History(Terminal terminal) {
            super(terminal);
        }

        @Override
        protected ExitCode execute(MillraceClient client) {
            Table table = new Table("TIME", "STATE", "ACTION?", "STARTED?", "MESSAGE FROM!", "REASON?");
            printList(
                    client.list(ApiPath.of("/event-executions").child(name()), limit),
                    "The event handler " + name() + " has got no message yet.",
                    table,
                    entry -> table.row(
                            Times.text(Json.text(entry, "create_time")),
                            Json.text(entry, "state"),
                            Json.text(entry, "action"),
                            Json.text(entry, "started_run_id"),
                            Json.text(entry, "message_run_id") + Json.text(entry, "message_source"),
                            Json.text(entry, "reason")));
            return ExitCode.OK;
        }
    }
}
