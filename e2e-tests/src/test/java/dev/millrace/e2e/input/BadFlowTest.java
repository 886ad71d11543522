package dev.millrace.e2e.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid definitions: the answer names the line, the problem and the remedy, and nothing is stored. */
@ExtendWith(SharedInstallation.class)
final class BadFlowTest {
    /**
     * A definition with one mistake.
     *
     * @param line line of the mistake
     * @param named text that the problem must contain
     */
    record BadFlow(String mistake, String definition, int line, String named) {
        @Override
        public String toString() {
            return mistake;
        }
    }

    static List<BadFlow> badFlows() {
        return List.of(
                new BadFlow("bad YAML", "millrace: v1\nname: bad\nsteps: [\n  - id: a\n", 4, "YAML"),
                new BadFlow("an unknown key", """
                        millrace: v1
                        name: bad
                        steps:
                          - id: a
                            script: good.py
                            retires: 3
                        """, 6, "retires"),
                new BadFlow("a cycle", """
                        millrace: v1
                        name: bad
                        steps:
                          - id: a
                            needs: [b]
                            script: good.py
                          - id: b
                            needs: [a]
                            script: good.py
                        """, 0, "a → b"),
                new BadFlow("an unknown step in needs", """
                        millrace: v1
                        name: bad
                        steps:
                          - id: a
                            needs: [wheel]
                            script: good.py
                        """, 5, "wheel"),
                new BadFlow("two steps of one name", """
                        millrace: v1
                        name: bad
                        steps:
                          - id: a
                            script: good.py
                          - id: a
                            script: good.py
                        """, 6, "a"),
                new BadFlow("an unknown root in an expression", """
                        millrace: v1
                        name: bad
                        steps:
                          - id: a
                            script: good.py
                            input: {text: "${{ step.b.result }}"}
                        """, 6, "step"),
                new BadFlow("a wrong type", "millrace: v1\nname: bad\nsteps: none\n", 3, "steps"));
    }

    @ParameterizedTest
    @MethodSource("badFlows")
    void saysWhereTheMistakeIsAndWhatToDo(BadFlow bad, Api api) {
        var body = Map.of(
                "file_name",
                "bad.yaml",
                "definition",
                bad.definition,
                "files",
                Map.of("good.py", "def main(): pass\n"));

        JsonNode problems = api.post("/api/v1/flows:validate", body).ok().path("problems");
        String refusal = api.post("/api/v1/flows", body).problem(400, "invalid_flow");

        assertThat(problems).as("problems").isNotEmpty();
        JsonNode problem = problems.get(0);
        assertThat(problem.toString()).contains(bad.named);
        assertThat(problem.path("message").asText()).isNotBlank();
        assertThat(problem.path("remedy").asText()).isNotBlank();
        if (bad.line > 0) {
            assertThat(problem.path("line").asInt()).as("line of %s", problem).isEqualTo(bad.line);
        }
        assertThat(refusal).contains(bad.named);
        assertThat(api.get("/api/v1/flows/bad").status()).isEqualTo(404);
    }

    @Test
    void namesAScriptThatIsNeitherGivenNorDeployed(Api api) {
        var body = Map.of("file_name", "bad.yaml", "definition", """
                millrace: v1
                name: bad
                steps:
                  - id: a
                    script: nowhere.py
                """);

        String refusal = api.post("/api/v1/flows", body).problem(400, "invalid_flow");

        assertThat(refusal).contains("nowhere.py");
    }

    @Test
    void namesTheInputThatIsMissingOrOfAnotherType(Api api) {
        api.deployFlow("""
                millrace: v1
                name: typed
                inputs:
                  count: {type: integer}
                steps:
                  - id: a
                    script: typed.py
                    input: {count: "${{ inputs.count }}"}
                """, Map.of("typed.py", "def main(count: int):\n    return count\n"));

        assertThat(api.post("/api/v1/runs", typed(Map.of())).problem(400, "invalid_request"))
                .contains("count");
        assertThat(api.post("/api/v1/runs", typed(Map.of("count", "many"))).problem(400, "invalid_request"))
                .contains("count", "integer");
        assertThat(api.post("/api/v1/runs", typed(Map.of("count", 1, "cuont", 2)))
                        .problem(400, "invalid_request"))
                .contains("cuont");
        assertThat(api.runToEnd(typed(Map.of("count", 1))).path("output").asInt())
                .isEqualTo(1);
    }

    private static Map<String, Object> typed(Map<String, Object> input) {
        return Map.of("target", Map.of("flow", "typed"), "input", input);
    }
}
