package dev.millrace.cli.workspace;

import picocli.CommandLine.Command;

/** {@code millrace quotas}: commands for what a workspace may ask of the installation. */
@Command(
        name = "quotas",
        description = "Show and set the quotas of a workspace.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {QuotasGetCommand.class, QuotasSetCommand.class})
public final class QuotasCommand {}
