package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Extent;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Skip;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Stop;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A small language to build definitions in tests, independent of dialects. */
final class Model {
    static final String SCRIPT = "s.py";

    private Model() {}

    /**
     * Reads a template. A text that begins with a bracket, a brace or a digit, or is a JSON literal, is JSON. Any other
     * text may contain expressions.
     */
    static Template value(String text) {
        if (text.matches("(?s)[\\[{].*|[0-9]+|true|false|null")) {
            return new Template.Constant(JsonValue.of(text));
        }
        return switch (Template.read(text, MillraceLanguage.INSTANCE)) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable -> throw new AssertionError(unreadable.message());
        };
    }

    static Template result() {
        return whole(new Path(new Root.Result(), List.of()));
    }

    static Template variables() {
        return whole(new Path(new Root.Variables(), List.of()));
    }

    private static Template whole(Expression expression) {
        return new Template.Whole(expression);
    }

    static StepAction.Task task() {
        return task("{}");
    }

    static StepAction.Task task(String x) {
        return new StepAction.Task(
                new TaskTarget.ScriptPath(SCRIPT),
                x.equals("{}") ? Template.Constant.EMPTY_OBJECT : Template.object(Map.of("x", value(x))),
                TaskOptions.DEFAULT);
    }

    static StepAction compute(String value) {
        return new StepAction.Compute(value(value));
    }

    /** Returns a list of steps that run one after the other. */
    static StepList list(Step... steps) {
        List<Step> chained = new ArrayList<>();
        for (Step step : steps) {
            List<String> needs =
                    chained.isEmpty() ? List.of() : List.of(chained.getLast().id());
            chained.add(new Step(step.id(), needs, step.action(), step.policy()));
        }
        return new StepList(chained, Optional.empty());
    }

    /** Returns a list of steps that run side by side. */
    static StepList sideBySide(Step... steps) {
        return new StepList(List.of(steps), Optional.empty());
    }

    static StepList withOutput(StepList list, String output) {
        return new StepList(list.steps(), Optional.of(value(output)));
    }

    static Step step(String id, StepAction action) {
        return new Step(id, List.of(), action);
    }

    static Step step(String id, StepAction action, StepPolicy policy) {
        return new Step(id, List.of(), action, policy);
    }

    static StepPolicy timeout(Duration timeout, OnFailure onFailure, RetryPolicy retry) {
        return StepPolicy.NONE
                .change()
                .timeout(Optional.of(timeout))
                .retry(retry)
                .onFailure(onFailure)
                .build();
    }

    static StepPolicy skip(String when, String result) {
        return policy(Optional.of(new Skip(value(when), value(result))), List.of(), OnFailure.FAIL, RetryPolicy.NONE);
    }

    static StepPolicy onFailure(OnFailure onFailure) {
        return policy(Optional.empty(), List.of(), onFailure, RetryPolicy.NONE);
    }

    static StepPolicy retry(int times, Duration delay) {
        return policy(
                Optional.empty(),
                List.of(),
                OnFailure.FAIL,
                new RetryPolicy(times, delay, 1, RetryPolicy.DELAY_MAX_DEFAULT, 0));
    }

    /** Returns the policy of a task whose options limit the number of retries: it retries only under a condition. */
    static StepPolicy retryIf(Template condition) {
        return policy(Optional.empty(), List.of(), OnFailure.FAIL, RetryPolicy.NONE)
                .withRetryIf(Optional.of(condition));
    }

    static StepPolicy stop(Template when, Extent extent) {
        return policy(
                Optional.empty(), List.of(new Stop(when, Optional.empty(), extent)), OnFailure.FAIL, RetryPolicy.NONE);
    }

    static StepPolicy stop(Template when, Extent extent, String message) {
        return stop(when, extent, value(message));
    }

    static StepPolicy stop(Template when, Extent extent, Template message) {
        return policy(
                Optional.empty(),
                List.of(new Stop(when, Optional.of(message), extent)),
                OnFailure.FAIL,
                RetryPolicy.NONE);
    }

    static StepPolicy policy(Optional<Skip> skip, List<Stop> stops, OnFailure onFailure, RetryPolicy retry) {
        return StepPolicy.NONE
                .change()
                .skip(skip)
                .retry(retry)
                .stops(stops)
                .onFailure(onFailure)
                .build();
    }

    static StepAction forEach(String items, int parallelism, LoopOptions options, StepList body) {
        return new StepAction.ForEach(value(items), parallelism, body, false, options);
    }

    static LoopOptions skippingFailures() {
        return new LoopOptions(true, Optional.empty(), Optional.empty(), OptionalInt.empty());
    }

    static StepAction parallel(StepList... branches) {
        return new StepAction.Parallel(
                List.of(branches).stream()
                        .map(steps -> new StepAction.Branch("", steps, false))
                        .toList(),
                branches.length);
    }

    static StepAction choice(String value, String expected, StepList steps) {
        return new StepAction.Switch(
                Optional.of(value(value)),
                List.of(new StepAction.Case(new StepAction.Test.Equals(value(expected)), steps)),
                Optional.empty());
    }

    static RunOfFlow run(StepList steps) {
        return run(steps, FlowOptions.NONE, SubFlows.NONE);
    }

    static RunOfFlow run(StepList steps, FlowOptions options, SubFlows subFlows) {
        FlowDefinition flow = new FlowDefinition("", "", List.of(), steps, options);
        FlowModel model =
                FlowModel.resolve(flow, Flows.scripts(List.of(SCRIPT)), subFlows, Flows.DEFAULTS, Limits.DEFAULT);
        RunOfFlow run = new RunOfFlow(model, "{\"n\":3,\"items\":[1,2,3],\"mode\":\"fast\"}");
        run.start();
        return run;
    }
}
