package dev.millrace.cli.secret;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;

/** {@code millrace resources list}: lists resources without their values. */
@Command(name = "list", description = "List the resources of the workspace.")
public final class ResourcesListCommand extends ClientCommand {
    static final ApiPath RESOURCES = ApiPath.of("/resources");
    private static final int RESOURCES_MAX = 100_000;

    public ResourcesListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("PATH!", "TYPE", "CHANGED?", "BY?", "DESCRIPTION?");
        printList(
                client.list(RESOURCES, RESOURCES_MAX),
                "There is no resource. Set one with: " + Launcher.NAME + " resources set PATH FILE",
                table,
                resource -> table.row(
                        Json.text(resource, "path"),
                        Json.text(resource, "type"),
                        Times.text(Json.text(resource, "update_time")),
                        Json.text(resource, "updated_by"),
                        Json.text(resource, "description")));
        return ExitCode.OK;
    }
}
