package dev.millrace.cli.definition;

import picocli.CommandLine.Command;

/** {@code millrace scripts}: commands for deployed scripts. */
@Command(
        name = "scripts",
        description = "Deploy, list, show and delete scripts.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ScriptsDeployCommand.class,
            ScriptsListCommand.class,
            ScriptsGetCommand.class,
            ScriptsPackagesCommand.class,
            ScriptsDeleteCommand.class
        })
public final class ScriptsCommand {}
