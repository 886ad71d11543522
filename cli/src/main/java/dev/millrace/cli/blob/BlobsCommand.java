package dev.millrace.cli.blob;

import picocli.CommandLine.Command;

/** {@code millrace blobs}: commands for values that are too large for inputs and results. */
@Command(
        name = "blobs",
        description = "Store, load, list and delete files that inputs and results refer to.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {BlobsPutCommand.class, BlobsGetCommand.class, BlobsListCommand.class, BlobsDeleteCommand.class})
public final class BlobsCommand {}
