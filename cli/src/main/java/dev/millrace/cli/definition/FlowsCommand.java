package dev.millrace.cli.definition;

import picocli.CommandLine.Command;

/** {@code millrace flows}: commands for deployed flows. */
@Command(
        name = "flows",
        description = "Deploy, list, show, delete, validate and convert flows.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            FlowsDeployCommand.class,
            FlowsListCommand.class,
            FlowsGetCommand.class,
            FlowsVersionsCommand.class,
            FlowsDeleteCommand.class,
            FlowsValidateCommand.class,
            FlowsConvertCommand.class
        })
public final class FlowsCommand {}
