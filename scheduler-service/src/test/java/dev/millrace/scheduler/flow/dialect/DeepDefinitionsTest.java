package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Reading a deeply nested definition never overflows the stack. */
class DeepDefinitionsTest {
    private static final List<Integer> DEPTHS = List.of(400, 3_000, 30_000);

    private static final String MILLRACE =
            "{\"millrace\": \"v1\", \"name\": \"deep\", \"steps\": [{\"id\": \"a\", \"value\": %s}]}";
    private static final String OPENFLOW =
            "{\"modules\": [{\"id\": \"a\", \"value\": {\"type\": \"script\", \"path\": \"a.py\", \"input_transforms\": "
                    + "{\"x\": {\"type\": \"javascript\", \"expr\": %s}}}}]}";
    private static final String CONDUCTOR =
            "{\"name\": \"w\", \"tasks\": [{\"name\": \"i\", \"taskReferenceName\": \"i\", \"type\": \"%s\", \"inputParameters\": "
                    + "{\"evaluatorType\": \"graaljs\", \"%s\": %s}}]}";
    private static final String FASTFLOW =
            "{\"tasks\": [{\"id\": \"a\", \"action\": \"print\", \"params\": {\"message\": %s}}]}";

    @Test
    void rejectsWhatNestsTooDeeplyWithASentence() {
        Map<String, String> shapes = new TreeMap<>();
        shapes.put("parentheses", "(#)");
        shapes.put("arrays", "[#]");
        shapes.put("calls", "String(#)");
        shapes.put("objects", "({a:#})");
        shapes.put("functions", "(() => {return #})()");
        shapes.put("not", "!#");
        shapes.put("minus", "- #");
        shapes.put("conditional", "1 ? 2 : #");
        shapes.put("powers", "2 ** #");
        shapes.put("arrows", "x => #");
        shapes.put("templates", "`${#}`");
        shapes.put("sums", "1 + #");
        shapes.put("members", "a.#");
        shapes.put("ifs", "if (1) #");
        shapes.put("assignments", "a = #");
        List<String> failures = new ArrayList<>();
        for (int depth : DEPTHS) {
            for (Map.Entry<String, String> shape : shapes.entrySet()) {
                String source = nested(shape.getValue(), depth, "1");
                String name = shape.getKey() + " " + depth + " in ";
                tryOne(failures, name + "millrace", MILLRACE, "${{ " + source + " }}");
                tryOne(failures, name + "openflow", OPENFLOW, source);
                tryOne(failures, name + "conductor", CONDUCTOR.formatted("INLINE", "expression", "%s"), source);
                tryOne(
                        failures,
                        name + "jq",
                        CONDUCTOR.formatted("JSON_JQ_TRANSFORM", "queryExpression", "%s"),
                        source);
            }
            tryOne(
                    failures,
                    depth + " jq",
                    CONDUCTOR.formatted("JSON_JQ_TRANSFORM", "queryExpression", "%s"),
                    nested("if . then # else 1 end", depth, "1"));
            tryOne(
                    failures,
                    depth + " references",
                    CONDUCTOR.formatted("INLINE", "x", "%s"),
                    nested("${workflow.input.#}", depth, "a"));
            tryOne(failures, depth + " pipelines", FASTFLOW, "{{ " + nested("(print #)", depth, "1") + " }}");
            tryOne(failures, depth + " blocks", FASTFLOW, nested("{{ if 1 }}#{{ end }}", depth, "1"));
            tryOne(
                    failures,
                    depth + " path",
                    CONDUCTOR.formatted("INLINE", "x", "%s"),
                    "${workflow.input" + nested("[?(@.a[#])]", depth, "0") + "}");
            compile(failures, depth + " JSON", MILLRACE.formatted(nested("[#]", depth, "1")));
            compile(failures, depth + " JSON objects", MILLRACE.formatted(nested("{\"a\": #}", depth, "1")));
            compile(failures, depth + " YAML", "millrace: v1\nname: deep\nsteps: " + nested("[#]", depth, "1"));
            compile(failures, depth + " YAML lists", "millrace: v1\nname: deep\nsteps:\n  " + "- ".repeat(depth) + "1");
            compile(
                    failures,
                    depth + " steps",
                    MILLRACE.formatted("1")
                            .replace(
                                    "\"value\": 1",
                                    "\"id\": \"a\", \"steps\": "
                                            + nested("[{\"id\": \"b\", \"steps\": #}]", depth, "[]")));
        }
        assertThat(failures).isEmpty();
    }

    private static void tryOne(List<String> failures, String name, String definition, String source) {
        compile(failures, name, definition.formatted(JsonValue.ofString(source)));
    }

    private static void compile(List<String> failures, String name, String definition) {
        try {
            if (FlowCompiler.compile(new FlowSource("flow.json", Optional.empty(), definition))
                            instanceof Compilation.Rejected rejected
                    && rejected.problems().isEmpty()) {
                failures.add(name + ": rejected without a problem");
            }
        } catch (RuntimeException | StackOverflowError failure) {
            StackTraceElement[] stack = failure.getStackTrace();
            failures.add(name + ": " + failure.getClass().getSimpleName() + " "
                    + (stack.length > 20 ? stack[20] + " " + stack[19] + stack[18] : ""));
        }
    }

    private static String nested(String shape, int depth, String innermost) {
        int hole = shape.indexOf('#');
        return shape.substring(0, hole).repeat(depth)
                + innermost
                + shape.substring(hole + 1).repeat(depth);
    }
}
