package dev.millrace.cli.workspace;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Base of commands that move a workspace into another state. */
abstract class ChangingWorkspace extends ClientCommand {
    private final String verb;
    private final String done;

    @Parameters(paramLabel = "NAME", description = WorkspaceText.NAME)
    private String name = "";

    ChangingWorkspace(Terminal terminal, String verb, String done) {
        super(terminal);
        this.verb = verb;
        this.done = done;
    }

    @Override
    protected final ExitCode execute(MillraceClient client) {
        printResult(
                client.post(WorkspaceText.path(name).then(":" + verb), Json.object()),
                "The workspace " + name + " " + done);
        return ExitCode.OK;
    }

    /** {@code millrace workspaces archive}. */
    @Command(
            name = "archive",
            description = "Archive a workspace: it can be read, but accepts neither work nor changes.")
    static final class Archiving extends ChangingWorkspace {
        Archiving(Terminal terminal) {
            super(terminal, "archive", "is archived. Runs in progress end as usual.");
        }
    }

    /** {@code millrace workspaces restore}. */
    @Command(name = "restore", description = "Let an archived workspace accept work again.")
    static final class Restoring extends ChangingWorkspace {
        Restoring(Terminal terminal) {
            super(terminal, "restore", "accepts work again.");
        }
    }
}
