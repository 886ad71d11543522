package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace runs skip}: skips a step. */
@Command(name = "skip", description = "Skip a waiting or running step, which ends with the given result.")
public final class RunsSkipCommand extends RunOperationCommand {
    @Mixin
    private StepArguments arguments = new StepArguments();

    @Option(
            names = "--result",
            paramLabel = "JSON",
            defaultValue = "null",
            description = "Result of the step (default: null).")
    private String result = "null";

    public RunsSkipCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    String operation() {
        return "skip";
    }

    @Override
    List<String> runIds() {
        return arguments.runIds();
    }

    @Override
    void addTo(ObjectNode body, boolean isBulk) {
        body.put("step", arguments.step());
        body.set(
                "result",
                Json.parse(result)
                        .orElseThrow(() -> new CommandFailure(
                                ExitCode.USAGE, "The result is not JSON. Write text like: --result '\"text\"'")));
    }

    @Override
    void report(String runId, JsonNode run) {
        print("Step " + arguments.step() + " of run " + runId + " is skipped.");
    }
}
