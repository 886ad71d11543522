package dev.millrace.cli.definition;

import picocli.CommandLine.Command;

/** {@code millrace scripts}: commands for deployed scripts. */
@Command(
        name = "scripts",
        description = "Deploy, list and show scripts.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ScriptsDeployCommand.class, ScriptsListCommand.class, ScriptsGetCommand.class})
public final class ScriptsCommand {}
