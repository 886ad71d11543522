package dev.millrace.flowtest;

import dev.millrace.scheduler.config.JobConfig;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.core.machine.FlowMachine;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A result with expressions over the input of a job. It is the output of a flow without steps whose inputs are the input
 * of the job, so the expressions are those of flows.
 */
public final class FakeTemplate {
    private static final String EXPRESSION = "${{";

    private final JsonValue value;
    private final Map<List<String>, FlowModel> models = new HashMap<>();

    public FakeTemplate(JsonValue value) {
        this.value = value;
    }

    /**
     * Evaluates the result.
     *
     * @throws SimulationStopped if an expression is not valid or cannot be evaluated
     */
    public Json of(RunId run, Json input) {
        if (!value.text().contains(EXPRESSION)) {
            return value.json();
        }
        List<String> names = JsonValue.of(input).members().keySet().stream()
                .filter(name -> name.matches("[A-Za-z_]\\w*"))
                .toList();
        FlowModel model = models.computeIfAbsent(names, this::compile);
        Optional<Outcome> end =
                FlowMachine.reopen(model, FlowState.fresh(model, run, input)).end();
        if (end.isPresent() && end.get() instanceof Outcome.Succeeded(Json result)) {
            return result;
        }
        String reason = end.isPresent() && end.get() instanceof Outcome.Failed failed
                ? failed.error().message()
                : "it has no value";
        throw new SimulationStopped("The result of a fake cannot be evaluated: " + reason);
    }

    private FlowModel compile(List<String> names) {
        String inputs = names.stream()
                .map(name -> JsonValue.ofString(name) + ":{\"required\":false}")
                .collect(Collectors.joining(",", "{", "}"));
        String flow = "{\"millrace\":\"v1\",\"inputs\":" + inputs + ",\"steps\":[],\"output\":" + value.text() + "}";
        return switch (FlowCompiler.compile(new FlowSource("fake.json", Optional.empty(), flow))) {
            case Compilation.Compiled compiled ->
                FlowModel.resolve(
                        compiled.flow(),
                        Map.of(),
                        SubFlows.NONE,
                        new Defaults(JobConfig.TIMEOUT_DEFAULT),
                        Limits.DEFAULT);
            case Compilation.Rejected rejected ->
                throw new SimulationStopped("The result of a fake is not valid: "
                        + rejected.problems().getFirst().message() + " "
                        + rejected.problems().getFirst().remedy());
        };
    }
}
