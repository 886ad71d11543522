package dev.millrace.cli.workspace;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace workspaces rename}: gives a workspace another name. */
@Command(name = "rename", description = "Give a workspace another name. Callers may still use the former one.")
public final class WorkspacesRenameCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = WorkspaceText.NAME)
    private String name = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "New name.")
    private String newName = "";

    public WorkspacesRenameCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(
                client.post(
                        WorkspaceText.path(name).then(":rename"),
                        Json.object().put("new_name", Connection.requireName(newName))),
                "The workspace " + name + " is called " + newName + ". Its former name still works.");
        return ExitCode.OK;
    }
}
