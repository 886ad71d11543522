package dev.millrace.cli.worker;

import picocli.CommandLine.Command;

/** {@code millrace workers}: commands for connected workers. */
@Command(
        name = "workers",
        description = "List connected workers, drain one, or kill one for trials.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            WorkersListCommand.class,
            WorkersDrainCommand.class,
            WorkersResumeCommand.class,
            WorkersKillCommand.class
        })
public final class WorkersCommand {}
