package dev.millrace.cli.eventhandler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.RefusedRequest;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.secret.ValueFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace event-handlers apply}: creates or replaces an event handler. */
@Command(name = "apply", description = "Create the event handler that a JSON or YAML file describes, or replace it.")
public final class EventHandlersApplyCommand extends ClientCommand {
    @Parameters(
            paramLabel = "FILE",
            description =
                    "File with name, event, condition, actions and active, as in Conductor; - reads standard input.")
    private String file = "";

    public EventHandlersApplyCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        if (!(ValueFile.read(file, terminal().in()) instanceof ObjectNode handler)
                || Json.text(handler, "name").isEmpty()) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    (file.equals("-") ? "Standard input" : "The file " + file)
                            + " does not describe an event handler: write an object with name, event, actions and active.");
        }
        String name = Json.text(handler, "name");
        JsonNode applied = put(client, name, handler);
        printResult(
                applied,
                "Applied the event handler " + name + ", version " + Json.text(applied, "version") + "."
                        + (applied.path("active").asBoolean()
                                ? ""
                                : " It is not active: set \"active\": true to let it get messages."));
        return ExitCode.OK;
    }

    private JsonNode put(MillraceClient client, String name, ObjectNode handler) {
        try {
            return client.put(EventHandlersCommand.HANDLERS.child(name), handler);
        } catch (RefusedRequest refused) {
            throw new CommandFailure(
                    refused.exitCode(),
                    (file.equals("-") ? "Standard input" : file) + ": event handler \"" + name + "\": "
                            + refused.text(),
                    refused);
        }
    }
}
