package dev.millrace.cli.secret;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace resources types}: lists the types of resources. */
@Command(name = "types", description = "List the types of resources; with --output json, with their schemas.")
public final class ResourcesTypesCommand extends ClientCommand {
    static final ApiPath TYPES = ApiPath.of("/resource-types");

    public ResourcesTypesCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("NAME!", "DESCRIPTION");
        printList(
                client.all(TYPES),
                "There are no types of resources in this workspace.",
                table,
                type -> table.row(Json.text(type, "name"), Json.text(type, "description")));
        return ExitCode.OK;
    }
}
