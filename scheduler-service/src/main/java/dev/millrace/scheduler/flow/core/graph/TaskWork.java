package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.InputReference;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A job on a worker. */
public record TaskWork(
        Target target,
        Template input,
        Optional<Template> tag,
        int priority,
        Duration timeout,
        RetryPolicy retry,
        Optional<TaskOptions.Cache> cache,
        boolean isErased,
        Optional<TaskOptions.Limit> limit,
        Optional<Template> overrides)
        implements Work {
    public sealed interface Target {}

    /** A target that the definition names. */
    public record Fixed(JobTarget job, String name) implements Target {}

    /** A target that is computed when the step begins: {@code handler:NAME} or the path of one of these scripts. */
    public record Computed(Template name, Map<String, JobTarget.Script> scripts) implements Target {}

    static TaskWork compile(StepAction.Task task, StepPolicy policy, GraphBuilder list) {
        TaskOptions options = task.options();
        list.read(task.input());
        options.tag().ifPresent(list::read);
        options.overrides().ifPresent(list::read);
        options.cache().flatMap(TaskOptions.Cache::key).ifPresent(list::read);
        options.limit().flatMap(TaskOptions.Limit::key).ifPresent(list::read);
        if (task.target() instanceof TaskTarget.Computed computed) {
            list.read(computed.name());
        }
        return list.tasks().resolve(task, policy);
    }

    @Override
    public JobKind kind() {
        return target instanceof Fixed fixed && fixed.job() instanceof JobTarget.Script
                ? JobKind.SCRIPT
                : JobKind.HANDLER;
    }

    /** The task whose jobs belong to a step; empty if it has none. */
    static Stream<TaskWork> in(Node step) {
        return switch (step.work()) {
            case TaskWork task -> Stream.of(task);
            case HttpPollWork poll -> Stream.of(poll.request());
            case Work _ -> Stream.empty();
        };
    }

    /** What the input refers to. */
    Stream<InputReference> references() {
        return InputReference.of(input).stream();
    }
}
