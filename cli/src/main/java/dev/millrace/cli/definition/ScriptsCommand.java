package dev.millrace.cli.definition;

import dev.millrace.cli.run.ScriptsRunCommand;
import picocli.CommandLine.Command;

/** {@code millrace scripts}: commands for deployed scripts. */
@Command(
        name = "scripts",
        description = "Deploy, run, list, show and delete scripts.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ScriptsDeployCommand.class,
            ScriptsRunCommand.class,
            ScriptsListCommand.class,
            ScriptsGetCommand.class,
            ScriptsVersionsCommand.class,
            ScriptsPackagesCommand.class,
            ScriptsDeleteCommand.class
        })
public final class ScriptsCommand {}
