package dev.millrace.cli.workspace;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;

/** {@code millrace workspaces list}: lists the workspaces in which the caller has a role. */
@Command(name = "list", description = "List the workspaces in which you have a role.")
public final class WorkspacesListCommand extends ClientCommand {
    private static final int WORKSPACES_MAX = 100_000;

    public WorkspacesListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("NAME!", "STATE", "ISOLATED?", "CREATED?", "DESCRIPTION");
        printList(
                client.list(WorkspaceText.WORKSPACES, WORKSPACES_MAX),
                "You have a role in no workspace: ask an admin for one.",
                table,
                workspace -> table.row(
                        Json.text(workspace, "name"),
                        Json.text(workspace, "state"),
                        WorkspaceText.isolated(workspace),
                        Times.text(Json.text(workspace, "create_time")),
                        Json.text(workspace, "description")));
        return ExitCode.OK;
    }
}
