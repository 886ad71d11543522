package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.millrace.FlowPrinter;
import dev.millrace.scheduler.flow.dialect.millrace.Printing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FlowPrinterTest {
    private static final Path FLOWS = Path.of("../e2e-tests/flows");
    private static final Path REFERENCE = Path.of("../docs/reference");
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final int SCOPES = 5;
    private static final int BYTES_MAX = 1_000_000;

    @ParameterizedTest
    @MethodSource("definitions")
    void printsADefinitionThatCompilesToTheSameFlow(String name, String definition) {
        Compilation.Compiled original = compiled(definition);
        Printing.Printed printed = (Printing.Printed) FlowPrinter.print(original);
        Compilation.Compiled again = compiled(printed.definition());
        Map<String, String> inline = original.inlineScripts().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, script -> script.getValue().content()));
        assertThat(ModelText.of(again.flow(), printed.scripts())).isEqualTo(ModelText.of(original.flow(), inline));
        Set<String> scripts = new TreeSet<>(original.scriptPaths());
        scripts.addAll(printed.scripts().keySet());
        assertThat(again.scriptPaths()).containsExactlyInAnyOrderElementsOf(scripts);
        assertThat(again.dialect()).isEqualTo("millrace");
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void writesExpressionsThatHaveTheSameValues(String name, String definition) {
        Compilation.Compiled original = compiled(definition);
        Printing.Printed printed = (Printing.Printed) FlowPrinter.print(original);
        List<Template> before = ModelText.templates(original.flow());
        List<Template> after =
                ModelText.templates(compiled(printed.definition()).flow());
        assertThat(after).hasSameSizeAs(before);
        for (int i = 0; i < before.size(); i++) {
            for (int seed = 0; seed < SCOPES; seed++) {
                assertThat(value(after.get(i), seed))
                        .as("%s, seed %s of %s", before.get(i), seed, after.get(i))
                        .isEqualTo(value(before.get(i), seed));
            }
        }
    }

    /** Returns the value, or {@code failed} if the template cannot be resolved. */
    private static String value(Template template, int seed) {
        return switch (template.resolve(new RandomScope(seed), BYTES_MAX)) {
            case Resolution.Resolved resolved -> resolved.value().toString();
            case Resolution.Unresolved _ -> "failed";
        };
    }

    static Stream<Arguments> definitions() throws IOException {
        List<Arguments> all = new ArrayList<>();
        all.add(arguments("everything", EVERYTHING));
        all.add(arguments("fastflow", FASTFLOW));
        all.add(arguments("conductor", CONDUCTOR));
        all.add(arguments("openflow", OPENFLOW));
        for (Path document : files(REFERENCE, ".*-dialect\\.md")) {
            EXAMPLE.matcher(content(document))
                    .results()
                    .map(match -> match.group(1))
                    .filter(example -> compile(example) instanceof Compilation.Compiled)
                    .forEach(example -> all.add(arguments(document.getFileName() + " " + all.size(), example)));
        }
        for (Path flow : files(FLOWS, "flow\\.(yaml|json)")) {
            if (compile(content(flow)) instanceof Compilation.Compiled) {
                all.add(arguments(FLOWS.relativize(flow).toString(), content(flow)));
            }
        }
        assertThat(all).hasSizeGreaterThan(20);
        return all.stream();
    }

    private static List<Path> files(Path folder, String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .sorted()
                    .toList();
        }
    }

    private static final String EVERYTHING = """
                millrace: v1
                name: everything
                inputs: {"a b": {type: integer, default: 1e2, empty_means_default: true}, c: {required: false, description: "x: y"}}
                ignore_undeclared: true
                concurrency: {rate: {count: 10, per: 1m}, key: "${{ inputs.c }}"}
                steps:
                  - {id: a-1, script: a.py, input: {text: "$${{ no }} and ${{ inputs.c }}\\n\\u00e9", n: 1.50, e: {}, l: []}}
                  - {id: b, needs: [], handler: x, tag: "t-${{ inputs.c }}", priority: 3, timeout: 90s,
                     retry: {max_retries: 2, delay: 1s, multiplier: 2, max_delay: 1m, jitter: 0.5, random_delay: 3s}, retry_if: "${{ error.name }}"}
                  - {id: c, script: c.py, retry: {phases: [{shape: power, max_retries: 2, delay: 3s, factor: 2}]},
                     skip_if: "${{ steps.a-1?.result?.off }}", skip_result: [1], mock: {}, delay: 5, on_failure: continue}
                  - {id: d, script: d.py, if: "${{ inputs.c }}", stop: [{when: true, error: "no ${{ result }}", ends: run}]}
                  - id: e
                    switch:
                      value: 1
                      cases: [{equals: 1, steps: []}, {when: "${{ inputs.c }}", steps: [{id: f, value: yes}]}]
                      default: {steps: [], output: 3}
                    retry: {max_retries: 1}
                    timeout: 1h
                  - {id: g, for_each: "${{ inputs.c }}", parallelism: 3, key: "${{ item }}", keep_last: 2, skip_failures: "${{ item?.optional }}", script: g.py,
                     overrides: {timeout: 5s, retry: "${{ item?.retry }}"}}
                  - id: h
                    while: ${{ result }}
                    check: after
                    skip_failures: true
                    break_if: ${{ index }}
                    steps: [{id: i, set: {v: "${{ index }}"}}]
                  - id: j
                    parallel:
                      parallelism: 1
                      branches: [{name: x, steps: [{id: k, wait: {for: 5s}}]}, {name: y, skip_failure: true, steps: []}]
                  - {id: l, flow: some/flow, input: {x: 1}}
                  - id: inline
                    flow:
                      inputs: {n: {type: integer}}
                      variables: {v: 1}
                      timeout: 1m
                      steps: [{id: l, value: "${{ inputs.n + vars.v }}"}, {id: a-1, script: a.py}]
                    input: {n: 1}
                  - {id: t, for_each: [1], flow: {open_inputs: true, steps: [], output: "${{ inputs.x }}"}, input: {x: "${{ item }}"}}
                  - {id: m, start: {flow: "${{ inputs.c }}", input: {y: 2}}}
                  - {id: n, wait: {approval: go, required: 2, details: {title: t}, timeout: 2h, on_denial: continue}}
                  - {id: o, wait: {until: "2030-01-31T08:00:00Z"}}
                  - {id: poll, http_poll: {url: "${{ inputs.c }}", headers: {A: b}}, until: "${{ result.body?.done }}", every: 2s, max_requests: 9,
                     tag: net, priority: 2, timeout: 1h, retry: {max_retries: 3, delay: 1s}, stop: [{when: "${{ result.status }}"}]}
                  - {id: p, target: "handler:${{ inputs.c }}"}
                  - {id: q, terminate: {status: failed, reason: no}}
                  - id: r
                    value: |-
                      ${{ const a = steps["a-1"]?.result;

                        return a ?? 1; // a comment
                      }}
                  - {id: s, for_each: [1], flow: some/Flow, input: {x: "cost: $$${{ item }}"}, retry: {max_retries: 1}}
                """;

    private static final String FASTFLOW = """
            vars: {mode: {defaultValue: x}}
            tasks:
              - {id: a, actionName: a.py, params: {url: "{{mode}}/{{.vars.mode.Value}}"}}
              - id: b
                actionName: b.py
                dependOn: [a]
                params: {list: ["{{.shareData.k}}"]}
                preCheck: [{act: block, conditions: [{source: share-data, key: k, op: not-in, values: [v, "w'"]}]}]
            """;

    private static final String CONDUCTOR = """
            {"name": "w", "taskDefs": [{"name": "t", "retryCount": 2, "description": "\\"x\\""}], "tasks": [
              {"name": "q", "taskReferenceName": "q", "type": "JSON_JQ_TRANSFORM",
               "inputParameters": {"queryExpression": ".items | map(.id)", "items": "${workflow.input.items}"}},
              {"name": "loop", "taskReferenceName": "loop", "type": "DO_WHILE",
               "loopCondition": "if ($.loop['iteration'] < 3) { true; } else { false; }",
               "loopOver": [{"name": "t", "taskReferenceName": "t", "inputParameters": {
                 "n": "${loop.output.iteration}", "text": "a $${b} ${q.output.result[0]} ${q.output.resultList[*].id}"}}]},
              {"name": "d", "taskReferenceName": "d", "type": "FORK_JOIN_DYNAMIC", "retryCount": 1,
               "inputParameters": {"tasks": "${q.output.result}", "inputs": "${loop.output}"},
               "dynamicForkTasksParam": "tasks", "dynamicForkTasksInputParamName": "inputs"},
              {"name": "j", "taskReferenceName": "j", "type": "JOIN"},
              {"name": "i", "taskReferenceName": "i", "type": "INLINE", "inputParameters": {
                "evaluatorType": "graaljs", "expression": "var a = $.x;\\nvar b = 2;\\n[a, b].length", "x": "${j.output.r['a b']}"}}]}
            """;

    private static final String OPENFLOW = """
            summary: o
            value:
              modules:
                - id: a
                  value: {type: rawscript, language: deno, content: "export function main() {}",
                    input_transforms: {x: {type: javascript, expr: "`n ${flow_input.n}`"}}}
                - id: l
                  value:
                    type: forloopflow
                    iterator: {type: javascript, expr: "results.a ?? [1]"}
                    modules:
                      - id: b
                        value: {type: script, path: b.py, input_transforms: {
                          v: {type: javascript, expr: "const i = flow_input.iter;\\nreturn {...i, r: results.a?.k, n: flow_input['n'], p: previous_result.x}"}}}
                - id: c
                  stop_after_if: {expr: "result.done"}
                  value: {type: branchone, default: [], branches: [
                    {expr: "results.l.length > 1 && results[\\"a\\"].k", modules: [{id: d, value: {type: identity}}]}]}
            """;

    @Test
    void saysWhichStepCannotBePrinted() {
        assertThat(FlowPrinter.print(compiled("tasks: [{id: 1st, actionName: a.py}]")))
                .isEqualTo(new Printing.Unprintable(
                        List.of("Step \"1st\" has an id, which the dialect millrace cannot express.")));
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Compilation compile(String definition) {
        return FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), definition));
    }

    private static Compilation.Compiled compiled(String definition) {
        Compilation compilation = compile(definition);
        assertThat(compilation).as(definition).isInstanceOf(Compilation.Compiled.class);
        return (Compilation.Compiled) compilation;
    }
}
