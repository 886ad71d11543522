package dev.millrace.cli.workspace;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace workspaces delete}: deletes an archived workspace with all that it holds. */
@Command(name = "delete", description = "Delete an archived workspace with all that it holds. This cannot be undone.")
public final class WorkspacesDeleteCommand extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = WorkspaceText.NAME)
    private String name = "";

    @Option(names = "--force", description = "Cancel the runs that are in progress.")
    private boolean isForced;

    public WorkspacesDeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected String nameOf(String field) {
        return optionOf(field);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ApiPath path = WorkspaceText.path(name);
        printResult(
                client.delete(isForced ? path.with("force", "true") : path),
                "The workspace " + name + " is being deleted with all that it holds, which takes a while.");
        return ExitCode.OK;
    }
}
