package dev.millrace.scheduler.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowProblem;
import dev.millrace.proto.flow.v1.PlanFlowRequest;
import dev.millrace.proto.flow.v1.ValidateFlowRequest;
import dev.millrace.proto.flow.v1.ValidateFlowResponse;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A definition gets warnings for inputs that the scripts of its steps do not take, before anything runs. */
class StepInputsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Map<String, String> FILES = Map.of(
            "typed.py", "def main(n: int, unit='s'): return n\n",
            "open.py", "def main(n, **others): return n\n",
            "none.py", "def main(): return 1\n",
            "typed.ts", "export function main(words: string[], sep?: string) { return words.join(sep); }\n",
            "plain.js", "export function main(words, sep = ',') { return words.join(sep); }\n",
            "greet.sh", "name=\"$1\"\necho \"$name\"\n",
            "sum.go", "package inner\n\nfunc main(left int, right int) (int, error) { return left + right, nil }\n",
            "rows.pg.sql", "select * from orders where id = :id\n");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            typed.py | {m: 1} | 6:15: The script typed.py takes no "m". Did you mean "n"?
            typed.py | {n: 1, colour: red} | 6:21: The script typed.py takes no "colour". It takes n, unit: correct or remove the key.
            typed.py | {unit: s} | 6:7: The input lacks "n", without which the script typed.py does not run. Add it.
            typed.py | {n: "${{ inputs.n }}", x: 2} | 6:37: The script typed.py takes no "x". It takes n, unit: correct or remove the key.
            none.py  | {n: 1} | 6:15: The script none.py takes no "n". It takes no input: remove the key.
            typed.ts | {word: []} | 6:15: The script typed.ts takes no "word". Did you mean "words"?
            plain.js | {} | 6:7: The input lacks "words", without which the script plain.js does not run. Add it.
            greet.sh | {nam: Ada} | 6:7: The input lacks "name", without which the script greet.sh does not run. Add it.
            sum.go   | {left: 1, rihgt: 2} | 6:24: The script sum.go takes no "rihgt". Did you mean "right"?
            sum.go   | {left: one, right: 2} | 6:15: The script sum.go does not take this input. The parameter "left" is "one" (expected: a whole number or null). Change it.
            rows.pg.sql | {id: 1} | 6:7: The input lacks "database", without which the script rows.pg.sql does not run. Add it.
            """)
    void warnsOfWhatAScriptOfTheFlowDoesNotTake(String script, String input, String warning) {
        assertThat(validate(script, input).getWarningsList())
                .extracting(StepInputsTest::text)
                .containsExactly(warning);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            typed.py | {n: 1, unit: min}
            typed.py | "${{ inputs }}"
            open.py  | {n: 1, m: 2}
            none.py  | {}
            typed.ts | {words: "${{ inputs.n }}"}
            """)
    void saysNothingAboutInputsThatMayFit(String script, String input) {
        assertThat(validate(script, input).getWarningsList()).isEmpty();
        assertThat(validate(script, input).getProblemsList()).isEmpty();
    }

    @Test
    void knowsTheTypesOfADeployedScriptWithASchema() {
        SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath("tools/scale.py")
                        .setContent(ByteString.copyFromUtf8("def main(factor, unit=None): return factor\n"))
                        .setInputSchema(ByteString.copyFromUtf8("""
                                {"properties": {"factor": {"type": "integer"}, "unit": {}},
                                 "required": ["factor"], "additionalProperties": false}"""))
                        .build());

        assertThat(validate("tools/scale.py", "{factor: two, units: 1}").getWarningsList())
                .extracting(StepInputsTest::text)
                .containsExactly(
                        "6:15: The script tools/scale.py does not take this input. The parameter \"factor\" is \"two\""
                                + " (expected: a whole number). Change it.",
                        "6:28: The script tools/scale.py takes no \"units\". Did you mean \"unit\"?");
    }

    @Test
    void deploymentsAndPlansWarnAsWell() {
        String definition = definition("typed.py", "{m: 1}");
        List<FlowProblem> planned = SCHEDULER
                .flows()
                .planFlow(PlanFlowRequest.newBuilder()
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .addFiles(file("typed.py"))
                        .build())
                .getWarningsList();
        List<FlowProblem> deployed = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .addFiles(file("typed.py"))
                        .build())
                .getWarningsList();

        assertThat(planned)
                .singleElement()
                .satisfies(warning -> assertThat(warning.getPath()).isEqualTo("steps[0].input.m"));
        assertThat(deployed).isEqualTo(planned);
    }

    private static String definition(String script, String input) {
        return """
                millrace: v1
                name: inputs
                inputs: {n: {default: 1}}
                steps:
                    - id: only
                      input: $input
                      script: $script
                """.replace("$input", input).replace("$script", script);
    }

    private static ValidateFlowResponse validate(String script, String input) {
        ValidateFlowRequest.Builder request =
                ValidateFlowRequest.newBuilder().setDefinition(ByteString.copyFromUtf8(definition(script, input)));
        if (FILES.containsKey(script)) {
            request.addFiles(file(script));
        }
        return SCHEDULER.flows().validateFlow(request.build());
    }

    private static FlowFile file(String path) {
        return FlowFile.newBuilder()
                .setPath(path)
                .setContent(ByteString.copyFromUtf8(FILES.getOrDefault(path, "")))
                .build();
    }

    private static String text(FlowProblem problem) {
        return problem.getLine() + ":" + problem.getColumn() + ": " + problem.getMessage() + " " + problem.getRemedy();
    }
}
