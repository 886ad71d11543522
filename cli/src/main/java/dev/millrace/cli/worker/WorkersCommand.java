package dev.millrace.cli.worker;

import picocli.CommandLine.Command;

/** {@code millrace workers}: commands for connected workers. */
@Command(
        name = "workers",
        description = "List connected workers, or kill one for trials.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {WorkersListCommand.class, WorkersKillCommand.class})
public final class WorkersCommand {}
