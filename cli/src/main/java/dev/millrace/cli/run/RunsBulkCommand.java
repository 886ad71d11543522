package dev.millrace.cli.run;

import picocli.CommandLine.Command;

/** {@code millrace runs bulk}: operations on many runs. */
@Command(
        name = "bulk",
        description = "List operations on many runs, see how far one is, and cancel it.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RunsBulkListCommand.class, RunsBulkGetCommand.class, RunsBulkCancelCommand.class})
public final class RunsBulkCommand {}
