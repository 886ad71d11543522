package dev.millrace.cli.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace workspaces create}: creates an empty workspace. */
@Command(name = "create", description = "Create an empty workspace; for owners of the installation.")
public final class WorkspacesCreateCommand extends ClientCommand {
    @Parameters(
            paramLabel = "NAME",
            description = "1 to 64 characters a-z, 0-9, '_' and '-', the first a letter or digit.")
    private String name = "";

    @Option(names = "--description", paramLabel = "TEXT", description = "What the workspace is for.")
    private String description = "";

    @Option(names = "--isolated", description = "Give its jobs only to workers whose token names the workspace.")
    private boolean isIsolated;

    public WorkspacesCreateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = Json.object().put("name", Connection.requireName(name));
        if (!description.isEmpty()) {
            body.put("description", description);
        }
        if (isIsolated) {
            body.put("isolated", true);
        }
        printResult(
                client.post(WorkspaceText.WORKSPACES, body),
                "Created the workspace " + name + ". Let others in: " + Launcher.NAME
                        + " roles grant user:NAME developer --workspace " + name);
        return ExitCode.OK;
    }
}
