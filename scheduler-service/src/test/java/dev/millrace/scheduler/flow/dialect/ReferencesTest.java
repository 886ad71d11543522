package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Placeholders;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.flow.core.definition.InputReference;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of references to secrets and resources, in all dialects. */
class ReferencesTest {
    private static final String FLOW = "{millrace: v1, name: shop/sync, steps: [%s]}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "{key: '${{ secrets.shop.api_key }}'} | /key=secrets.shop.api_key",
                "{key: '${{ secrets.api-key }}'} | /key=secrets[\"api-key\"]",
                "{key: '${{secrets[\"shop\"].a.b}}'} | /key=secrets.shop.a.b",
                "{key: 'Bearer ${{ secrets.shop.k }}'} | /key='Bearer '+secrets.shop.k",
                "{key: '${{ secrets.u }}:${{ secrets.p }}'} | /key=secrets.u+':'+secrets.p",
                "{a: [1, {b/c: '${{ resources.shop.db }}'}]} | /a/1/b~1c=resources.shop.db",
                "'${{ resources.shop.db }}' | =resources.shop.db",
                "{key: '$${{ secrets.shop.k }}', other: '${{ inputs.x }}'} | !!",
            })
    void findsWhatAnInputRefersTo(String input, String expected) {
        assertThat(shown(
                        "",
                        FLOW.replace("name: shop/sync", "name: shop/sync, inputs: {x: {type: string}}")
                                .formatted("{id: a, handler: h, input: " + input + "}")))
                .isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{id: a, handler: h, if: '${{ secrets.shop.k }}'}",
                "{id: a, handler: h, tag: '${{ secrets.shop.k }}'}",
                "{id: a, handler: h, cache: {ttl: 1h, key: '${{ secrets.shop.k }}'}}",
                "{id: a, handler: h, limit: {max: 1, key: '${{ secrets.shop.k }}'}}",
                "{id: a, handler: h, input: {x: '${{ secrets.shop.k + \"a\" }}'}}",
                "{id: a, handler: h, input: {x: '${{ text.join(secrets.shop.k, \"a\") }}'}}",
                "{id: a, handler: h, input: {x: '${{ secrets.shop.k }} of ${{ run.id }}'}}",
                "{id: a, handler: h, input: {x: '${{ secrets }}'}}",
                "{id: a, handler: h, input: {x: '${{ secrets?.shop }}'}}",
                "{id: a, value: '${{ secrets.shop.k }}'}",
                "{id: a, set: {x: '${{ secrets.shop.k }}'}}",
                "{id: a, for_each: '${{ secrets.shop.k }}', handler: h}",
                "{id: a, flow: other, input: {x: '${{ resources.shop.db }}'}}",
                "{id: a, start: {flow: other, input: {x: '${{ resources.shop.db }}'}}}",
                "{id: a, wait: {signal: '${{ secrets.shop.k }}'}}",
                "{id: a, terminate: {status: succeeded, output: '${{ secrets.shop.k }}'}}",
            })
    void rejectsReferencesElsewhere(String step) {
        Compilation compilation = compile("", FLOW.formatted(step));

        assertThat(compilation)
                .isInstanceOfSatisfying(
                        Compilation.Rejected.class,
                        rejected -> assertThat(rejected.problems().toString()).containsAnyOf("secrets", "resources"));
    }

    @Test
    void rejectsReferencesInTheOutputAndTheEnvironmentOfAFlow() {
        String steps = "steps: [{id: a, handler: h}]";
        for (String part : List.of(
                "output: {x: '${{ secrets.shop.k }}'}",
                "env: {x: '${{ secrets.shop.k }}'}",
                "variables: {x: '${{ secrets.shop.k }}'}",
                "concurrency: {max: 1, key: '${{ secrets.shop.k }}'}",
                "debounce: {delay: 1s, key: '${{ secrets.shop.k }}'}")) {
            assertThat(compile("", "{millrace: v1, name: x, " + part + ", " + steps + "}"))
                    .as(part)
                    .isInstanceOf(Compilation.Rejected.class);
        }
    }

    @Test
    void saysWhereAReferenceStands() {
        Compilation compilation = compile("", FLOW.formatted("{id: a, handler: h, if: '${{ secrets.shop.k }}'}"));

        assertThat(compilation)
                .isInstanceOfSatisfying(
                        Compilation.Rejected.class,
                        rejected -> assertThat(rejected.problems())
                                .singleElement()
                                .satisfies(problem -> {
                                    assertThat(problem.path()).isEqualTo("steps[0].if");
                                    assertThat(problem.line()).isEqualTo(1);
                                    assertThat(problem.message()).isEqualTo("\"secrets.shop.k\" cannot be used here.");
                                }));
    }

    @Test
    void readsReferencesOfOpenFlow() {
        String module = """
                value: {modules: [{id: a, value: {type: rawscript, language: python3, content: 'def main(): pass',
                  input_transforms: {
                    db: {type: static, value: $res:f/shop/db},
                    nested: {type: static, value: {list: [$var:f/shop/key, plain]}},
                    called: {type: javascript, expr: "variable('f/shop/key')"},
                    read: {type: javascript, expr: " await resource(\\"f/shop/db\\") ; "}}}}]}
                """;

        assertThat(shown("openflow", module))
                .isEqualTo("/db=resources.f.shop.db /nested/list/0=secrets.f.shop.key /called=secrets.f.shop.key"
                        + " /read=resources.f.shop.db");
    }

    @Test
    void rejectsReferencesInOtherPlacesOfOpenFlow() {
        String loop = """
                value: {modules: [{id: a, value: {type: forloopflow, iterator: {type: static, value: $res:f/shop/list},
                  modules: [{id: b, value: {type: rawscript, language: python3, content: 'def main(): pass'}}]}}]}
                """;

        assertThat(compile("openflow", loop))
                .isInstanceOfSatisfying(
                        Compilation.Rejected.class,
                        rejected -> assertThat(rejected.problems().toString()).contains("resources.f.shop.list"));
    }

    @Test
    void readsReferencesOfConductor() {
        String workflow = """
                {"name": "w", "tasks": [{"name": "t", "taskReferenceName": "a", "type": "SIMPLE", "inputParameters": {
                  "key": "${workflow.secrets.shop.key}", "header": "Bearer ${workflow.secrets.token}",
                  "plain": "${workflow.input.x}"}}]}
                """;

        assertThat(shown("conductor", workflow)).isEqualTo("/key=secrets.shop.key /header='Bearer '+secrets.token");
    }

    @Test
    void readsReferencesOfConductorInHttpTasks() {
        String workflow = """
                {"name": "w", "tasks": [{"name": "t", "taskReferenceName": "a", "type": "HTTP", "inputParameters": {
                  "http_request": {"uri": "https://example.com", "method": "GET",
                    "headers": {"Authorization": "Bearer ${workflow.secrets.shop.token}"}}}}]}
                """;

        assertThat(shown("conductor", workflow)).isEqualTo("/headers/Authorization='Bearer '+secrets.shop.token");
    }

    @Test
    void rejectsReferencesInComputedInputsOfConductor() {
        String workflow = """
                {"name": "w", "tasks": [{"name": "t", "taskReferenceName": "a", "type": "KAFKA_PUBLISH",
                  "inputParameters": {"kafka_request": {"bootStrapServers": "b:9092", "topic": "t",
                    "value": "${workflow.secrets.shop.token}"}}}]}
                """;

        assertThat(compile("conductor", workflow))
                .isInstanceOfSatisfying(
                        Compilation.Rejected.class,
                        rejected -> assertThat(rejected.problems().toString())
                                .contains("Step \"a\" refers to secrets.shop.token where it has no value."));
    }

    @Test
    void readsReferencesOfFastflow() {
        String flow = """
                id: report
                tasks:
                  - {id: a, actionName: load.py, params: {key: '{{.secrets.shop.key}}', text: 'k={{ .secrets.k }}!'}}
                """;

        assertThat(shown("fastflow", flow)).isEqualTo("/key=secrets.shop.key /text='k='+secrets.k+'!'");
        assertThat(compile("fastflow", flow.replace("'{{.secrets.shop.key}}'", "'{{.secrets.k}}{{.vars.x.Value}}'")))
                .isInstanceOf(Compilation.Rejected.class);
    }

    @Test
    void recognizesInputsThatMayHoldPlaceholders() {
        String placeholder = new Root.Reference(ReferenceKind.RESOURCE, "shop/my-db").placeholder();

        assertThat(Placeholders.mayBeIn("{\"a\":\"x " + placeholder.replace("\"", "\\\"") + "\"}"))
                .isTrue();
        assertThat(Placeholders.mayBeIn("{\"a\":\"${{ inputs.x }} ${{ secrets.k }}\"}"))
                .isTrue();
        assertThat(Placeholders.mayBeIn("{\"a\":\"${{ inputs.secrets }} ${{\"}"))
                .isFalse();
    }

    private static String shown(String dialect, String text) {
        Compilation compilation = compile(dialect, text);
        if (!(compilation instanceof Compilation.Compiled compiled)) {
            throw new AssertionError(compilation);
        }
        StepAction action = compiled.flow().steps().steps().getFirst().action();
        return action instanceof StepAction.Task task
                ? InputReference.of(task.input()).stream()
                        .map(ReferencesTest::shown)
                        .collect(Collectors.joining(" "))
                : "no task: " + action;
    }

    private static String shown(InputReference reference) {
        return reference.pointer() + "="
                + reference.parts().stream()
                        .map(part -> switch (part) {
                            case InputReference.Part.Literal(String literal) -> "'" + literal + "'";
                            case InputReference.Part.Value(Root.Reference named) -> named.toString();
                        })
                        .collect(Collectors.joining("+"));
    }

    private static Compilation compile(String dialect, String text) {
        return FlowCompiler.compile(
                new FlowSource("f.yaml", Optional.of(dialect).filter(name -> !name.isEmpty()), text)
                        .with(Set.of("load.py")));
    }
}
