package dev.millrace.cli.run;

import picocli.CommandLine.Command;

/** {@code millrace runs bulk}: commands for operations on many runs. */
@Command(
        name = "bulk",
        description = "List operations on many runs, show their progress, and cancel them.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunsBulkListCommand.class,
            RunsBulkGetCommand.class,
            RunsBulkRunsCommand.class,
            RunsBulkCancelCommand.class
        })
public final class RunsBulkCommand {}
