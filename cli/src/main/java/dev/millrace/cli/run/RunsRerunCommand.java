package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace runs rerun}: starts new runs at a step. */
@Command(
        name = "rerun",
        description = "Start new runs at a step; they reuse the results of steps that do not come after it.")
public final class RunsRerunCommand extends RunOperationCommand {
    @Mixin
    private StepArguments arguments = new StepArguments();

    @Mixin
    private NewInput input = new NewInput();

    @Mixin
    private NewStepInput stepInput = new NewStepInput();

    @Mixin
    private OtherVersion version = new OtherVersion();

    public RunsRerunCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String operation() {
        return "rerun";
    }

    @Override
    List<String> runIds() {
        return arguments.runIds();
    }

    @Override
    void addTo(ObjectNode body, boolean isBulk) {
        body.put("step", arguments.step());
        if (isBulk) {
            input.requireNone();
        } else {
            input.addTo(body);
        }
        stepInput.addTo(body);
    }

    @Override
    void addToOne(ObjectNode body, MillraceClient client, String runId) {
        version.addTo(
                body,
                client,
                () -> OtherVersion.flowOf(client, runId),
                terminal().err()::println);
    }

    @Override
    void addToMany(ObjectNode body, MillraceClient client, RunSelection selected, List<String> runIds) {
        version.addTo(
                body,
                client,
                () -> runIds.isEmpty() ? selected.requireFlow() : OtherVersion.flowOf(client, runIds.getFirst()),
                terminal().err()::println);
    }

    @Override
    void report(String runId, JsonNode run) {
        print(Json.text(run, "id"));
        terminal()
                .err()
                .println("Follow it with: " + Launcher.NAME + " runs watch " + RunIds.brief(Json.text(run, "id")));
    }
}
