package dev.millrace.cli.workspace;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace workspaces get}: shows a workspace. */
@Command(name = "get", description = "Show a workspace.")
public final class WorkspacesGetCommand extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = WorkspaceText.NAME)
    private String name = "";

    public WorkspacesGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode workspace = client.get(WorkspaceText.path(name));
        if (wantsJson()) {
            printJson(workspace);
        } else {
            WorkspaceText.lines(workspace).forEach(this::print);
        }
        return ExitCode.OK;
    }
}
