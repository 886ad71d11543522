package dev.millrace.cli.trigger;

import picocli.CommandLine.Command;

/** {@code millrace triggers}: commands for what starts runs by events from outside. */
@Command(
        name = "triggers",
        description =
                "Apply, list, pause and delete what starts runs by events from outside: webhooks, messages of Kafka and MQTT, rows of PostgreSQL.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TriggersApplyCommand.class,
            TriggersListCommand.class,
            TriggersGetCommand.class,
            TriggersPauseCommand.class,
            TriggersResumeCommand.class,
            TriggersHistoryCommand.class,
            TriggersTestCommand.class,
            TriggersDeleteCommand.class
        })
public final class TriggersCommand {}
