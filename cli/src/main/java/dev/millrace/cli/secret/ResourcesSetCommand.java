package dev.millrace.cli.secret;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace resources set}: creates or replaces a resource. */
@Command(name = "set", description = "Create or replace a resource by the value of a JSON or YAML file.")
public final class ResourcesSetCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the resource; its first part is the folder.")
    private String path = "";

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            description = "JSON or YAML file with the value; - reads standard input.")
    private String file = "";

    @Option(names = "--type", paramLabel = "NAME", description = "Type whose schema the value must fit.")
    private @Nullable String type;

    @Option(names = "--description", paramLabel = "TEXT", description = "What the resource is for.")
    private @Nullable String description;

    public ResourcesSetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = Json.object();
        body.set("value", ValueFile.read(file, terminal().in()));
        if (type != null) {
            body.put("type", type);
        }
        if (description != null) {
            body.put("description", description);
        }
        printResult(
                client.put(ResourcesListCommand.RESOURCES.child(path), body),
                "Set the resource " + path + ". Steps that begin from now on use it.");
        return ExitCode.OK;
    }
}
