package dev.millrace.cli.run;

import picocli.CommandLine.Command;

/** {@code millrace runs}: looks at runs. */
@Command(
        name = "runs",
        description = "List, show, watch and cancel runs.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunsListCommand.class,
            RunsGetCommand.class,
            RunsWatchCommand.class,
            RunsLogsCommand.class,
            RunsCancelCommand.class
        })
public final class RunsCommand {}
