package dev.millrace.e2e.storm;

import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Flows of a storm. All work is done by {@code step.py} or {@code step.ts}, which record it in ways that the verdict
 * can check.
 */
final class StormFlows {
    private static final Duration DEPLOYMENT_LIMIT = Duration.ofMinutes(5);
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;

    private StormFlows() {}

    static void deploy(Api api) {
        String python = resource("step.py");
        String deno = resource("step.ts");
        // With schemas, no run reads a signature, which would be one that nobody has asked for.
        Map<String, Object> schema = Map.of("type", "object");
        Map.of("storm/step.py", python, "storm/step.ts", deno)
                .forEach((path, content) -> insist(
                        api, "/api/v1/scripts", Map.of("path", path, "content", content, "input_schema", schema)));
        Map<String, String> files = Map.of("step.py", python, "step.ts", deno);
        deploy(api, files, "sequence", """
                steps:
                  - %s
                  - %s
                  - %s
                output: ${{ steps.c.result.value }}
                """.formatted(
                python("a", "inputs.value"), deno("b", "steps.a.result.value"), python("c", "steps.b.result.value")));
        String items = "${{ [0, 1, 2, 3].map(i => inputs.value + i) }}";
        String sum = "${{ steps.each.result.reduce((sum, each) => sum + each.value, 0) }}";
        deploy(api, files, "loop", """
                steps:
                  - %s
                output: "%s"
                """.formatted(
                        python("each", "item", "for_each: \"" + items + "\", parallelism: 3"), sum));
        deploy(api, files, "limited", """
                steps:
                  - %s
                output: "%s"
                """.formatted(
                python("each", "item", "for_each: \"" + items + "\", parallelism: 4, limit: {max: 2, key: storm}"),
                sum));
        deploy(api, files, "while", """
                variables: {rounds: 0}
                steps:
                  - id: again
                    while: ${{ vars.rounds < 3 }}
                    steps:
                      - %s
                      - {id: count, set: {rounds: "${{ vars.rounds + 1 }}"}}
                output: ${{ vars.rounds }}
                """.formatted(python("work", "inputs.value")));
        deploy(api, files, "branches", """
                steps:
                  - id: all
                    parallel:
                      branches:
                        - {steps: [%s], output: "${{ steps.x.result.value }}"}
                        - {steps: [%s], output: "${{ steps.y.result.value }}"}
                        - {steps: [%s], output: "${{ steps.z.result.value }}"}
                output: ${{ steps.all.result }}
                """.formatted(
                        python("x", "inputs.value"), deno("y", "inputs.value + 1"), python("z", "inputs.value + 2")));
        deploy(api, files, "switch", """
                steps:
                  - %s
                  - id: choice
                    switch:
                      cases:
                        - {when: "${{ inputs.value %% 2 == 0 }}", steps: [], output: "${{ steps.a.result.value }}"}
                      default:
                        steps:
                          - %s
                        output: ${{ steps.b.result.value }}
                output: ${{ steps.choice.result }}
                """.formatted(deno("a", "inputs.value"), python("b", "steps.a.result.value"))
                .replace(
                        "steps: [], output: \"${{ steps.a.result.value }}\"",
                        "steps: [{id: even, value: \"${{ steps.a.result.value }}\"}]"));
        deploy(api, files, "retries", """
                steps:
                  - %s
                output: ${{ steps.a.result.value }}
                """.formatted(
                        python("a", "inputs.value", "retry: {max_retries: 50, delay: 50ms}", ", until: 3")));
        deploy(api, files, "mutex", """
                steps:
                  - %s
                output: ${{ steps.a.result.value }}
                """.formatted(python(
                "a",
                "inputs.value",
                "retry: {max_retries: 5, delay: 50ms}",
                ", lock: \"storm-${{ inputs.value % 3 }}\"")));
        deploy(api, files, "subflow", """
                steps:
                  - {id: inner, flow: storm/sequence, input: %s}
                output: ${{ steps.inner.result }}
                """.formatted(passed("inputs.value")));
        deploy(api, files, "child", """
                steps:
                  - {id: inner, flow: storm/sequence, as: run, input: %s}
                output: ${{ steps.inner.result }}
                """.formatted(passed("inputs.value")));
        deploy(api, files, "dynamic", """
                scripts: [step.py]
                steps:
                  - {id: name, value: "${{ 'sequence' }}"}
                  - {id: first, target: "${{ 'step.py' }}", input: %s}
                  - {id: inner, flow: "storm/${{ steps.name.result }}", as: run, input: %s}
                output: ${{ steps.inner.result }}
                """.formatted(
                        stepInput("inputs.value", true, ""), passed("steps.first.result.value")));
        deploy(api, files, "timer", """
                steps:
                  - %s
                  - {id: pause, wait: {for: 700ms}}
                  - %s
                output: ${{ steps.b.result.value }}
                """.formatted(python("a", "inputs.value"), deno("b", "steps.a.result.value")));
        deploy(api, files, "same-worker", """
                steps:
                  - id: box
                    same_worker: true
                    retry: {max_retries: 50, delay: 50ms}
                    steps:
                      - %s
                      - %s
                      - %s
                      - %s
                    output: ${{ steps.d.result.value }}
                output: ${{ steps.box.result }}
                """.formatted(
                        sharing("a", "step.py", "inputs.value"),
                        sharing("b", "step.ts", "steps.a.result.value"),
                        sharing("c", "step.py", "steps.b.result.value"),
                        sharing("d", "step.ts", "steps.c.result.value")));
        String cachedValue = "inputs.value % " + Kind.CACHED_VALUES;
        String cache = "cache: {ttl: 1h, key: [\"${{ " + cachedValue + " }}\"]}";
        deploy(api, files, "cached", """
                steps:
                  - %s
                  - %s
                output: ${{ steps.taken.result.value }}
                """.formatted(
                        python("made", cachedValue, cache), python("taken", cachedValue, cache)));
        deploy(api, files, "cached-run", """
                %s
                steps:
                  - %s
                output: ${{ steps.a.result }}
                """.formatted(cache, python("a", cachedValue)));
        deploy(api, files, "debounced", """
                debounce: {delay: 500ms, max_delay: 2s, key: "${{ inputs.key }}", accumulate: [parts]}
                steps:
                  - %s
                output: {value: "${{ steps.a.result.value }}", parts: "${{ inputs.parts }}"}
                """.formatted(python("a", "inputs.value")));
        deploy(api, files, "held", """
                steps:
                  - %s
                  - {id: hold, wait: {signal: go}}
                  - %s
                output: ${{ steps.b.result.value }}
                """.formatted(
                python("a", "inputs.value"), python("b", "steps.a.result.value + (steps.hold.result.payload ?? 7)")));
        deploy(api, files, "failing", """
                steps:
                  - %s
                on_failure:
                  steps:
                    - %s
                """.formatted(
                        python("a", "inputs.value", "", ", needs: never"), python("tidy", "inputs.value")));
        deploy(api, files, "needs-file", """
                steps:
                  - %s
                  - %s
                output: ${{ steps.b.result.value }}
                """.formatted(
                python("a", "inputs.value"), python("b", "inputs.value", "", ", needs: \"${{ inputs.needs }}\"")));
        deploy(api, files, "long", """
                steps:
                  - %s
                  - {id: hold, wait: {for: 1h}}
                """.formatted(python("a", "inputs.value")));
        deploy(api, files, "long-child", """
                steps:
                  - {id: inner, flow: storm/long, as: run, input: %s}
                """.formatted(passed("inputs.value")));
    }

    /** Input of every run of a storm. */
    static Map<String, Object> input(Path folder, int value, int lines, int millis) {
        return Map.of("folder", folder.toString(), "value", value, "lines", lines, "millis", millis);
    }

    private static void deploy(Api api, Map<String, String> files, String name, String body) {
        String inputs =
                "value: {type: integer}, lines: {type: integer}, millis: {type: integer}, folder: {type: string},"
                        + " needs: {type: string, default: \"\"}, key: {type: integer, default: 0},"
                        + " parts: {type: array, default: []}";
        String definition = "millrace: v1\nname: storm/" + name + "\ninputs: {" + inputs + "}\n" + body;
        insist(api, "/api/v1/flows", Map.of("file_name", "flow.yaml", "definition", definition, "files", files));
    }

    /** Repeats a call that services which have just started do not answer in time; it deploys the same again. */
    private static void insist(Api api, String path, Map<String, Object> body) {
        Await.until("the answer to " + path, DEPLOYMENT_LIMIT, () -> {
            Answer answer = api.post(path, body);
            boolean isLate = answer.status() == GATEWAY_TIMEOUT || answer.status() == SERVICE_UNAVAILABLE;
            if (!isLate) {
                answer.ok();
            }
            return !isLate;
        });
    }

    private static String python(String id, String value) {
        return python(id, value, "", "");
    }

    private static String python(String id, String value, String around) {
        return python(id, value, around, "");
    }

    private static String python(String id, String value, String around, String more) {
        return "{id: " + id + ", script: step.py, input: " + stepInput(value, true, more)
                + (around.isEmpty() ? "" : ", " + around) + "}";
    }

    private static String deno(String id, String value) {
        return "{id: " + id + ", script: step.ts, input: " + stepInput(value, false, "") + "}";
    }

    /** A step that lists its shared folder and leaves a file in it. */
    private static String sharing(String id, String script, String value) {
        return "{id: " + id + ", script: " + script + ", input: "
                + stepInput(value, script.endsWith("py"), ", shares: true") + "}";
    }

    private static String stepInput(String value, boolean hasFiles, String more) {
        return "{value: \"${{ " + value + " }}\", lines: \"${{ inputs.lines }}\", millis: \"${{ inputs.millis }}\""
                + (hasFiles ? ", folder: \"${{ inputs.folder }}\"" : "") + more + "}";
    }

    private static String passed(String value) {
        return stepInput(value, true, "");
    }

    private static String resource(String name) {
        try (var stream = StormFlows.class.getResourceAsStream("/storm/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
