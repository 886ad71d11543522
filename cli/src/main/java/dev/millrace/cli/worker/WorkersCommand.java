package dev.millrace.cli.worker;

import picocli.CommandLine.Command;

/** {@code millrace workers}: commands for connected workers. */
@Command(
        name = "workers",
        description = "List connected workers.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = WorkersListCommand.class)
public final class WorkersCommand {}
