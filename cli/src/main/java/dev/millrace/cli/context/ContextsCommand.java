package dev.millrace.cli.context;

import picocli.CommandLine.Command;

/** {@code millrace contexts}: commands for named servers. */
@Command(
        name = "contexts",
        description = "List, choose, set, show and delete named servers with their workspaces and tokens.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ContextsListCommand.class,
            ContextsUseCommand.class,
            ContextsSetCommand.class,
            ContextsShowCommand.class,
            ContextsDeleteCommand.class
        })
public final class ContextsCommand {}
