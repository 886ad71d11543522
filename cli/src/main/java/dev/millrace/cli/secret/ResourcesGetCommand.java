package dev.millrace.cli.secret;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace resources get}: shows the value of a resource, or all of it as JSON. */
@Command(name = "get", description = "Show the value of a resource; with --output json, all that is known of it.")
public final class ResourcesGetCommand extends ClientCommand {
    @Parameters(paramLabel = "PATH", description = "Path of the resource.")
    private String path = "";

    public ResourcesGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode resource = client.get(ResourcesListCommand.RESOURCES.child(path));
        printJson(wantsJson() ? resource : resource.path("value"));
        return ExitCode.OK;
    }
}
