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

/** {@code millrace resources set-type}: creates or replaces a type of resources. */
@Command(name = "set-type", description = "Create or replace a type by a file with the JSON Schema of its values.")
public final class ResourcesSetTypeCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the type.")
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            description = "JSON or YAML file with the schema; - reads standard input.")
    private String file = "";

    @Option(names = "--description", paramLabel = "TEXT", description = "What resources of the type are for.")
    private @Nullable String description;

    public ResourcesSetTypeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = Json.object();
        body.set("schema", ValueFile.read(file, terminal().in()));
        if (description != null) {
            body.put("description", description);
        }
        printResult(
                client.put(ResourcesTypesCommand.TYPES.name(name), body),
                "Set the type " + name + ". Resources that exist are not checked again.");
        return ExitCode.OK;
    }
}
