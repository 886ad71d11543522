package dev.millrace.cli.schedule;

import picocli.CommandLine.Command;

/** {@code millrace schedules}: commands for what starts runs at certain times. */
@Command(
        name = "schedules",
        description = "Create, list, pause and delete schedules, and see what they start.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            SchedulesListCommand.class,
            SchedulesGetCommand.class,
            SchedulesCreateCommand.class,
            SchedulesApplyCommand.class,
            SchedulesNextCommand.class,
            SchedulesHistoryCommand.class,
            SchedulesVersionsCommand.class,
            SchedulesTriggerCommand.class,
            SchedulesBackfillCommand.class,
            SchedulesBackfillsCommand.class,
            SchedulesPauseCommand.class,
            SchedulesResumeCommand.class,
            SchedulesDeleteCommand.class
        })
public final class SchedulesCommand {}
