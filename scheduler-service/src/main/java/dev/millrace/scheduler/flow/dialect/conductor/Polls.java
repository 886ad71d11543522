package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.dialect.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Compiles tasks of the type HTTP_POLL: a request that is sent until a condition over its response holds. */
final class Polls {
    private static final String CONDITION = "terminationCondition";
    private static final String INTERVAL = "pollingInterval";
    private static final String STRATEGY = "pollingStrategy";
    private static final String REQUESTS_MAX = "maxPollCount";

    /** Keys that the request of a poll may have. */
    private static final List<String> KEYS = Stream.concat(
                    HttpRequest.KEYS.stream(), Stream.of(CONDITION, INTERVAL, STRATEGY, REQUESTS_MAX))
            .toList();

    private static final JsonValue INTERVAL_DEFAULT = JsonValue.of(60);

    private final Compiling compiling;
    private final Level level;

    Polls(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    StepAction action(TaskNode task) {
        Params params = compiling.params(task, compiling.references(task, level));
        TaskSettings settings = new TaskSettings(
                compiling.reading(), task, compiling.definitions().applied(task));
        return new StepAction.HttpPoll(
                new StepAction.Task(
                        new TaskTarget.HandlerName(WorkerTasks.HTTP_HANDLER),
                        new WorkerTasks(compiling, level).http(task, params, KEYS),
                        new TaskOptions(Optional.empty(), 0, Optional.empty(), settings.retry())),
                until(task, params),
                every(task, params),
                requestsMax(task, params));
    }

    /** Finds a member of the request. If the parameters contain no request, they are the request themselves. */
    private static Optional<Template> member(Params params, String key) {
        Template request = params.find(WorkerTasks.HTTP_REQUEST).orElseGet(params::template);
        return switch (request) {
            case Template.Members(Map<String, Template> members) -> Optional.ofNullable(members.get(key));
            case Template.Constant(JsonValue value) ->
                Optional.of(JsonObjects.member(value, key))
                        .filter(member -> !member.isNull())
                        .map(Template.Constant::new);
            case Template.Whole _, Template.Text _, Template.Elements _ -> Optional.empty();
        };
    }

    /** Compiles the condition that ends the poll. Without a condition, the first response ends it. */
    private Template until(TaskNode task, Params params) {
        Optional<Template> condition = member(params, CONDITION);
        if (condition.isPresent()
                && condition.get() instanceof Template.Constant(JsonValue value)
                && value.kind() == JsonValue.Kind.STRING
                && !value.string().isBlank()) {
            return new Template.Whole(new LoopGoesOn(
                    new Template.Whole(new Scripts(compiling.reading(), task.mark(), path(task, CONDITION))
                            .javaScript(
                                    value.string(), params, Map.of("output", new Binding.Value(PollOutput.INSTANCE)))),
                    true));
        }
        boolean isRequestKnown =
                !(params.find(WorkerTasks.HTTP_REQUEST).orElse(Template.Constant.NULL) instanceof Template.Whole);
        if (!isRequestKnown
                || condition
                        .filter(given -> !(given instanceof Template.Constant))
                        .isPresent()) {
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            path(task, CONDITION),
                            "The condition of task \"" + task.reference() + "\" is made of other values.",
                            "Write it out, for example \"$.output.response.body.state === 'DONE'\", and pass values to it as inputParameters"
                                    + " beside http_request.");
        }
        return condition
                .filter(Template.Constant.class::isInstance)
                .<Template>map(constant -> new Template.Whole(new LoopGoesOn(constant, true)))
                .orElse(new Template.Constant(JsonValue.TRUE));
    }

    private Template every(TaskNode task, Params params) {
        Template interval = member(params, INTERVAL).orElse(new Template.Constant(INTERVAL_DEFAULT));
        return new Template.Whole(new PollInterval(Params.expression(interval), strategy(task, params)));
    }

    private PollInterval.Strategy strategy(TaskNode task, Params params) {
        Optional<Template> given = member(params, STRATEGY);
        if (given.isEmpty()) {
            return PollInterval.Strategy.FIXED;
        }
        List<String> words =
                Arrays.stream(PollInterval.Strategy.values()).map(Enum::name).toList();
        String word = given.get() instanceof Template.Constant(JsonValue value) && value.kind() == JsonValue.Kind.STRING
                ? value.string()
                : "";
        if (words.contains(word)) {
            return PollInterval.Strategy.valueOf(word);
        }
        compiling
                .reading()
                .problem(
                        task.mark(),
                        path(task, STRATEGY),
                        STRATEGY + " is \"" + word + "\" (expected: " + String.join(", ", words) + ").",
                        Nearest.didYouMean(word, words) + "Write one of them.");
        return PollInterval.Strategy.FIXED;
    }

    private int requestsMax(TaskNode task, Params params) {
        Optional<Template> given = member(params, REQUESTS_MAX);
        if (given.isEmpty()) {
            return StepAction.HttpPoll.REQUESTS_LIMIT;
        }
        if (given.get() instanceof Template.Constant(JsonValue value)
                && value.kind() == JsonValue.Kind.NUMBER
                && value.isWhole()) {
            double count = Double.parseDouble(value.toString());
            if (count >= 1 && count <= StepAction.HttpPoll.REQUESTS_LIMIT) {
                return (int) count;
            }
        }
        compiling
                .reading()
                .problem(
                        task.mark(),
                        path(task, REQUESTS_MAX),
                        REQUESTS_MAX + " is not a whole number from 1 to " + StepAction.HttpPoll.REQUESTS_LIMIT + ".",
                        "Write how many requests are sent at most, or remove it.");
        return StepAction.HttpPoll.REQUESTS_LIMIT;
    }

    private static String path(TaskNode task, String key) {
        return task.fields().path("inputParameters") + "." + WorkerTasks.HTTP_REQUEST + "." + key;
    }
}
