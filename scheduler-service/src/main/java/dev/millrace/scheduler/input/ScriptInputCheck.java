package dev.millrace.scheduler.input;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.schema.CompiledSchema;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import dev.millrace.scheduler.schema.SchemaProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Check of the inputs for one version of a script. Thread-safe. */
final class ScriptInputCheck {
    private final InputSchema schema;
    private final CompiledSchema compiled;

    private ScriptInputCheck(InputSchema schema, CompiledSchema compiled) {
        this.schema = schema;
        this.compiled = compiled;
    }

    static ScriptInputCheck of(InputSchema schema) throws SchemaInvalid {
        return new ScriptInputCheck(schema, JsonSchemas.compileAgain(schema.schema()));
    }

    boolean isOf(InputSchema other) {
        return schema.equals(other);
    }

    int chars() {
        return schema.schema().text().length();
    }

    /**
     * One problem for each parameter, the innermost that the check found. What cannot be checked within the budget is
     * left to the job.
     */
    List<InputProblem> check(Json input) {
        Map<String, SchemaProblem> byPlace = new LinkedHashMap<>();
        for (SchemaProblem problem : compiled.checkRounded(input)) {
            if (!problem.rule().isEmpty()) {
                byPlace.merge(place(problem), problem, ScriptInputCheck::inner);
            }
        }
        if (byPlace.isEmpty()) {
            return List.of();
        }
        InputWords words = InputWords.of(schema, input);
        return byPlace.values().stream().map(words::problem).toList();
    }

    /** The parameter, or the key if it is the key that is missing or unknown. */
    private static String place(SchemaProblem problem) {
        if (problem.pointer().isEmpty()) {
            return "/" + problem.property();
        }
        int end = problem.pointer().indexOf('/', 1);
        return end < 0 ? problem.pointer() : problem.pointer().substring(0, end);
    }

    private static SchemaProblem inner(SchemaProblem first, SchemaProblem second) {
        return depth(second) > depth(first) ? second : first;
    }

    private static long depth(SchemaProblem problem) {
        return problem.pointer().chars().filter(letter -> letter == '/').count();
    }
}
