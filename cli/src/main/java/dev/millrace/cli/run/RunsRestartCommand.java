package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace runs restart}: starts runs anew. */
@Command(name = "restart", description = "Start runs anew, with the same input or, for one run, another one.")
public final class RunsRestartCommand extends RunOperationCommand {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "Ids of the runs, each " + RunIds.FORMS + "; omit them with --flow, --all and the like.")
    private List<String> ids = new ArrayList<>();

    @Mixin
    private NewInput input = new NewInput();

    public RunsRestartCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String operation() {
        return "restart";
    }

    @Override
    List<String> runIds() {
        return ids;
    }

    @Override
    void addTo(ObjectNode body, boolean isBulk) {
        if (isBulk) {
            input.requireNone();
        } else {
            input.addTo(body);
        }
    }

    @Override
    void report(String runId, JsonNode run) {
        print(Json.text(run, "id"));
        terminal()
                .err()
                .println("Follow it with: " + Launcher.NAME + " runs watch " + RunIds.brief(Json.text(run, "id")));
    }
}
