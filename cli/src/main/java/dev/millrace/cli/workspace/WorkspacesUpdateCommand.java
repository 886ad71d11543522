package dev.millrace.cli.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace workspaces update}: changes the description or the isolation of a workspace. */
@Command(name = "update", description = "Change what the options name; for owners of the installation.")
public final class WorkspacesUpdateCommand extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = WorkspaceText.NAME)
    private String name = "";

    @Option(names = "--description", paramLabel = "TEXT", description = "What the workspace is for.")
    private @Nullable String description;

    @Option(
            names = "--isolated",
            arity = "1",
            paramLabel = "true|false",
            description = "Whether only workers whose token names the workspace get its jobs.")
    private @Nullable Boolean isIsolated;

    public WorkspacesUpdateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = Json.object();
        if (description != null) {
            body.put("description", description);
        }
        if (isIsolated != null) {
            body.put("isolated", isIsolated);
        }
        if (body.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "Nothing is to change. Add --description or --isolated.");
        }
        printResult(client.patch(WorkspaceText.path(name), body), "Changed the workspace " + name + ".");
        return ExitCode.OK;
    }
}
