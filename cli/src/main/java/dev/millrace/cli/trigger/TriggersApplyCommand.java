package dev.millrace.cli.trigger;

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
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace triggers apply}: creates or changes a trigger. */
@Command(name = "apply", description = "Create or change the trigger that a YAML or JSON file describes.")
public final class TriggersApplyCommand extends ClientCommand {
    @Parameters(
            paramLabel = "FILE",
            description = "File with path, run, and webhook, event, kafka, postgres or mqtt; - reads standard input.")
    private String file = "";

    public TriggersApplyCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        if (!(ValueFile.read(file, terminal().in()) instanceof ObjectNode trigger)) {
            throw invalid("does not describe a trigger: write an object with path, run and what it listens to");
        }
        String path = Json.text(trigger, "path");
        List<TriggerKind> kinds = Arrays.stream(TriggerKind.values())
                .filter(kind -> trigger.has(kind.text()))
                .toList();
        if (path.isEmpty() || kinds.size() != 1) {
            throw invalid("must have a path, and say what the trigger listens to: " + TriggerKind.expected());
        }
        trigger.remove("path");
        TriggerKind kind = kinds.getFirst();
        JsonNode applied = put(client, kind, path, trigger);
        String address = kind == TriggerKind.webhook ? " Its address is " + client.webhookAddress(path) + "." : "";
        printResult(
                applied,
                "Applied the " + kind.text() + " trigger " + path + ", version " + Json.text(applied, "version") + "."
                        + address);
        return ExitCode.OK;
    }

    private JsonNode put(MillraceClient client, TriggerKind kind, String path, ObjectNode trigger) {
        try {
            return client.put(kind.one(path), trigger);
        } catch (RefusedRequest refused) {
            throw new CommandFailure(
                    refused.exitCode(),
                    (file.equals("-") ? "Standard input" : file) + ": " + kind.text() + " trigger \"" + path + "\": "
                            + refused.text(),
                    refused);
        }
    }

    private CommandFailure invalid(String problem) {
        return new CommandFailure(
                ExitCode.INVALID, (file.equals("-") ? "Standard input" : "The file " + file) + " " + problem + ".");
    }
}
