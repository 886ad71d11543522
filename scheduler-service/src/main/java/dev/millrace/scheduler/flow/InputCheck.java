package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.schema.CompiledSchema;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import dev.millrace.scheduler.schema.SchemaProblem;
import java.util.List;
import java.util.Optional;

/**
 * Check of the inputs for one version of a flow: against the declared inputs and then, with defaults filled in, against
 * the schema. Thread-safe.
 */
public final class InputCheck implements RunInput.Check {
    private final FlowDefinition flow;
    private final Optional<CompiledSchema> schema;

    private InputCheck(FlowDefinition flow, Optional<CompiledSchema> schema) {
        this.flow = flow;
        this.schema = schema;
    }

    /**
     * Compiles the check of a flow.
     *
     * @throws SchemaInvalid if the flow's {@code input_schema} is no schema
     */
    public static InputCheck of(FlowDefinition flow) throws SchemaInvalid {
        return flow.options().inputSchema().isPresent()
                ? new InputCheck(
                        flow,
                        Optional.of(JsonSchemas.compileAgain(
                                flow.options().inputSchema().get().json())))
                : new InputCheck(flow, Optional.empty());
    }

    /** A JSON Schema can cost a second and may have to wait for its turn. */
    @Override
    public boolean isPlain() {
        return schema.isEmpty();
    }

    @Override
    public RunInput check(Json input) {
        return switch (RunInput.check(flow, input)) {
            case RunInput.Refused refused -> refused;
            case RunInput.Accepted accepted -> {
                List<RunInput.Problem> problems =
                        schema.map(compiled -> compiled.check(accepted.input())).orElse(List.of()).stream()
                                .map(InputCheck::problem)
                                .toList();
                yield problems.isEmpty() ? accepted : new RunInput.Refused(problems);
            }
        };
    }

    private static RunInput.Problem problem(SchemaProblem problem) {
        String what = problem.path().isEmpty() ? "The input" : "The input \"" + problem.path() + "\"";
        String rule = problem.rule().isEmpty() ? "" : " (rule " + problem.rule() + ")";
        return new RunInput.Problem(
                problem.path(),
                what + " does not fit the flow's input_schema: it " + problem.message() + rule + ".",
                remedy(problem.rule().substring(problem.rule().lastIndexOf('/') + 1)));
    }

    private static String remedy(String word) {
        return switch (word) {
            case "required", "dependentRequired" -> "Add it.";
            case "additionalProperties", "unevaluatedProperties", "propertyNames" -> "Remove it, or correct its name.";
            default -> "Change the input so that it fits, or correct the schema in the flow.";
        };
    }
}
