package dev.millrace.cli.workspace;

import picocli.CommandLine.Command;

/** {@code millrace workspaces}: commands for workspaces. */
@Command(
        name = "workspaces",
        description = "List, create, show, change, rename, archive, restore and delete workspaces.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            WorkspacesListCommand.class,
            WorkspacesCreateCommand.class,
            WorkspacesGetCommand.class,
            WorkspacesUpdateCommand.class,
            WorkspacesRenameCommand.class,
            ChangingWorkspace.Archiving.class,
            ChangingWorkspace.Restoring.class,
            WorkspacesDeleteCommand.class
        })
public final class WorkspacesCommand {}
