package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.queue.core.Json;
import org.junit.jupiter.api.Test;

class RunInputTest {
    private static final FlowDefinition FLOW = Flows.model("""
            inputs:
              files: {type: array}
              mode: {type: string, default: fast}
              limit: {type: integer, required: false}
              "odd name": {default: {a: [1, 2]}}
            steps: []
            """).definition();

    @Test
    void acceptsACompleteInputUnchanged() {
        String input = "{ \"files\": [1.50], \"mode\": \"slow\", \"limit\": 3.0, \"odd name\": null }";
        assertThat(RunInput.check(FLOW, new Json(input))).isEqualTo(new RunInput.Accepted(new Json(input)));
    }

    @Test
    void fillsDefaultsAndNulls() {
        assertThat(RunInput.check(FLOW, new Json("{\"files\": [ 1e2 ]}")))
                .isEqualTo(new RunInput.Accepted(
                        new Json("{\"files\":[ 1e2 ],\"mode\":\"fast\",\"limit\":null,\"odd name\":{\"a\":[1,2]}}")));
    }

    @Test
    void rejectsWrongTypesMissingAndUnknownInputsTogether() {
        assertThat(problems("{\"mode\": 1, \"limit\": 1.5, \"file\": []}")).isEqualTo("""
                        files: The input "files" is missing (expected: an array). ~ Send it, or give it a default in the flow.
                        mode: The input "mode" is a number (expected: a string). ~ Send a string.
                        limit: The input "limit" is a number (expected: an integer). ~ Send an integer.
                        file: The flow takes no input "file". ~ Remove it, or use one of: files, mode, limit, odd name.
                        """);
    }

    @Test
    void acceptsUndeclaredInputsIfTheFlowIsOpen() {
        FlowDefinition open = new FlowDefinition(
                FLOW.name(),
                FLOW.description(),
                FLOW.inputs(),
                FLOW.steps(),
                FlowOptions.NONE
                        .change()
                        .undeclared(FlowOptions.Undeclared.KEPT)
                        .build());
        assertThat(RunInput.check(open, new Json("{\"files\": [], \"mode\": \"x\", \"other\": 1, \"odd name\": 2}")))
                .as("an input that nobody gives stays away")
                .isEqualTo(new RunInput.Accepted(
                        new Json("{\"files\": [], \"mode\": \"x\", \"other\": 1, \"odd name\": 2}")));
    }

    @Test
    void rejectsAnythingButAnObject() {
        assertThat(problems("[1]")).isEqualTo(": The input is an array (expected: an object). ~ Send a JSON object.\n");
        assertThat(problems("")).startsWith(": The input is not valid JSON: it is empty. ~");
        assertThat(problems("{\"a\": NaN}")).startsWith(": The input is not valid JSON: non-standard token 'NaN'");
        assertThat(problems("{\"a\": 1, \"a\": 2}"))
                .startsWith(": The input is not valid JSON: it has the key 'a' twice");
        assertThat(problems("{} {}")).startsWith(": The input is not valid JSON: it has text after its end.");
        assertThat(problems("[".repeat(100_000))).startsWith(": The input is not valid JSON: it nests too deeply");
    }

    private static String problems(String input) {
        RunInput checked = RunInput.check(FLOW, new Json(input));
        assertThat(checked).isInstanceOf(RunInput.Refused.class);
        StringBuilder text = new StringBuilder();
        for (RunInput.Problem problem : ((RunInput.Refused) checked).problems()) {
            text.append(problem.path())
                    .append(": ")
                    .append(problem.message())
                    .append(" ~ ")
                    .append(problem.remedy())
                    .append('\n');
        }
        return text.toString();
    }
}
