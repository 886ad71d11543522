package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Negated;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Extent;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Skip;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Stop;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reader of the policy of a step. */
final class Policies {
    /** Keys of every step. */
    static final List<String> KEYS =
            List.of("begin_if", "if", "skip_if", "skip_result", "mock", "delay", "stop", "on_failure");
    /** Key of a container whose steps all run on one worker. */
    static final String SAME_WORKER = "same_worker";
    /** Keys of tasks and containers. */
    static final List<String> RETRY_KEYS = List.of("timeout", "retry", "retry_if");

    private static final List<String> STOP_KEYS = List.of("when", "error", "ends");
    private static final List<String> EXTENTS = List.of("list", "branch", "branches", "loop", "run");

    private final StepParts parts;

    Policies(StepParts parts) {
        this.parts = parts;
    }

    /** Reads the policy of a task. Its retries and timeout belong to the options of the task. */
    StepPolicy ofTask(Fields fields) {
        return read(fields, Optional.empty(), RetryPolicy.NONE, retryIf(fields));
    }

    /** Reads the policy of a container, which is retried as a whole. */
    StepPolicy ofContainer(Fields fields) {
        RetryPolicy retry = fields.find("retry")
                .map(node -> RetryFields.read(parts.reading(), node, fields.path("retry")))
                .orElse(RetryPolicy.NONE);
        Optional<Duration> timeout = fields.duration("timeout", Duration.ofMillis(1), JobOptions.TIMEOUT_LIMIT);
        return read(fields, timeout, retry, retryIf(fields));
    }

    /** Reads the policy of a step without retries and timeout: a loop of one task, or a step without a worker. */
    StepPolicy ofOther(Fields fields) {
        return read(fields, Optional.empty(), RetryPolicy.NONE, Optional.empty());
    }

    /** Reads the policy of the task in a loop of one task. All other keys apply to the loop. */
    StepPolicy ofLoopedTask(Fields fields) {
        return StepPolicy.NONE.change().retryIf(retryIf(fields)).build();
    }

    private StepPolicy read(Fields fields, Optional<Duration> timeout, RetryPolicy retry, Optional<Template> retryIf) {
        Optional<Template> delay =
                fields.has("delay") ? Optional.of(Waits.duration(parts, fields, "delay")) : Optional.empty();
        String onFailure =
                Words.read(parts.reading(), fields, "on_failure", List.of("fail", "continue", "fail_at_end"), "fail");
        return StepPolicy.NONE
                .change()
                .skip(skip(fields))
                .mock(parts.template(fields, "mock"))
                .delay(delay)
                .timeout(timeout)
                .retry(retry)
                .retryIf(retryIf)
                .stops(stops(fields))
                .onFailure(OnFailure.valueOf(onFailure.toUpperCase(Locale.ROOT)))
                .sameWorker(fields.bool(SAME_WORKER).orElse(false))
                .beginIf(beginIf(fields))
                .build();
    }

    private Optional<Template> beginIf(Fields fields) {
        if (!fields.has("needs")) {
            fields.refuse(
                    List.of("begin_if"),
                    "needs \"needs\".",
                    "Name in needs the steps that it waits for, or remove it.");
        }
        return parts.template(fields, "begin_if");
    }

    private Optional<Template> retryIf(Fields fields) {
        if (!fields.has("retry")) {
            fields.refuse(List.of("retry_if"), "needs \"retry\".", "Add retry, or remove it.");
        }
        return parts.template(fields, "retry_if", Sight.ERROR);
    }

    private Optional<Skip> skip(Fields fields) {
        Optional<Template> run = parts.template(fields, "if");
        Optional<Template> skip = parts.template(fields, "skip_if");
        if (run.isPresent() && skip.isPresent()) {
            fields.refuse(List.of("skip_if"), "cannot be combined with \"if\".", "Keep one of the two.");
        } else if (run.isEmpty() && skip.isEmpty()) {
            fields.refuse(List.of("skip_result"), "needs \"if\" or \"skip_if\".", "Add one of them, or remove it.");
        }
        Template result = parts.template(fields, "skip_result").orElse(Template.Constant.NULL);
        return run.map(Policies::not).or(() -> skip).map(when -> new Skip(when, result));
    }

    private static Template not(Template condition) {
        return condition instanceof Template.Constant(JsonValue constant)
                ? new Template.Constant(constant.isTruthy() ? JsonValue.FALSE : JsonValue.TRUE)
                : new Template.Whole(new Negated(condition));
    }

    /** Reads one condition or a list of them. */
    private List<Stop> stops(Fields fields) {
        List<Stop> stops = new ArrayList<>();
        Optional<SourceNode> node = fields.find("stop");
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                stops.add(stop(item, Paths.element(fields.path("stop"), stops.size())));
            }
        } else {
            node.ifPresent(one -> stops.add(stop(one, fields.path("stop"))));
        }
        return stops;
    }

    private Stop stop(SourceNode node, String path) {
        Fields fields = Fields.of(parts.reading().problems(), node, path, "a stop", STOP_KEYS);
        parts.require(fields, "when", "The stop has no condition.", "Add when; true stops always.");
        return new Stop(
                parts.template(fields, "when", Sight.RESULT).orElse(Template.Constant.NULL),
                parts.template(fields, "error", Sight.RESULT),
                extent(parts, fields, "ends").orElse(Extent.LIST));
    }

    /** Reads what a stop ends. */
    static Optional<Extent> extent(StepParts parts, Fields fields, String key) {
        String word = Words.read(parts.reading(), fields, key, EXTENTS, "");
        return word.isEmpty() ? Optional.empty() : Optional.of(Extent.valueOf(word.toUpperCase(Locale.ROOT)));
    }
}
