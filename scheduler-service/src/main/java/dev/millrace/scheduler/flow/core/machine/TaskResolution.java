package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.JobOverrides;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.TaskWork;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.Optional;

/** The resolved job of a task. */
sealed interface TaskResolution {
    record Job(StartJob job) implements TaskResolution {}

    /** The job could not be resolved. */
    record Broken(JobError error) implements TaskResolution {}

    /**
     * Resolves the job of an attempt.
     *
     * @param attempt number of the attempt, from 1
     */
    static TaskResolution of(TaskWork task, StepKey key, int attempt, Bindings seen) {
        Bindings bindings = seen.withJob(new NewJobId(seen.state()));
        Resolution input = seen.state()
                .model()
                .givenInput(key)
                .<Resolution>map(Resolution.Resolved::new)
                .orElseGet(() -> bindings.resolve(task.input()));
        if (!(input instanceof Resolution.Resolved resolved)) {
            return unresolved("input", input);
        }
        if (resolved.value().kind() != JsonValue.Kind.OBJECT) {
            return new Broken(FlowErrors.wrongType(
                    "input", "an object", resolved.value().kind().phrase()));
        }
        return switch (task.target()) {
            case TaskWork.Fixed fixed -> job(task, key, attempt, fixed, resolved.value(), bindings);
            case TaskWork.Computed computed -> computed(task, key, attempt, computed, resolved.value(), bindings);
        };
    }

    private static TaskResolution computed(
            TaskWork task, StepKey key, int attempt, TaskWork.Computed computed, JsonValue input, Bindings bindings) {
        Resolution name = bindings.resolve(computed.name());
        if (!(name instanceof Resolution.Resolved resolved)) {
            return unresolved("target", name);
        }
        if (resolved.value().kind() != JsonValue.Kind.STRING) {
            return new Broken(FlowErrors.wrongType(
                    "target", "a string", resolved.value().kind().phrase()));
        }
        String target = resolved.value().string();
        JobTarget.Script script = computed.scripts().get(target);
        if (script != null) {
            return job(task, key, attempt, new TaskWork.Fixed(script, target), input, bindings);
        }
        if (!target.startsWith(FlowLimits.HANDLER_PREFIX) || target.equals(FlowLimits.HANDLER_PREFIX)) {
            return new Broken(
                    FlowErrors.unknownTarget(target, computed.scripts().keySet()));
        }
        String handler = target.substring(FlowLimits.HANDLER_PREFIX.length());
        return job(task, key, attempt, new TaskWork.Fixed(new JobTarget.Handler(handler), handler), input, bindings);
    }

    private static TaskResolution job(
            TaskWork task, StepKey key, int attempt, TaskWork.Fixed target, JsonValue input, Bindings bindings) {
        String tag = target.job().defaultTag();
        if (task.tag().isPresent()) {
            Resolution resolution = bindings.resolve(task.tag().get());
            if (!(resolution instanceof Resolution.Resolved resolved)) {
                return unresolved("tag", resolution);
            }
            if (resolved.value().kind() != JsonValue.Kind.STRING) {
                return new Broken(FlowErrors.wrongType(
                        "tag", "a string", resolved.value().kind().phrase()));
            }
            tag = resolved.value().string();
        }
        if (tag.isEmpty() || tag.length() > JobOptions.TAG_LENGTH_MAX || !JobOptions.isCallers(tag)) {
            return new Broken(FlowErrors.unusableTag(tag));
        }
        return switch (OverridesResolution.of(task.overrides(), bindings)) {
            case OverridesResolution.Known(JobOverrides own)
            when own.limit().isPresent() && keepsToWorker(key, bindings) -> new Broken(FlowErrors.limitInGroup(key));
            case OverridesResolution.Known(JobOverrides own) ->
                limited(task, key, attempt, target, input, bindings, options(task, tag, own));
            case OverridesResolution.Unusable(JobError error) -> new Broken(error);
        };
    }

    private static boolean keepsToWorker(StepKey key, Bindings bindings) {
        return bindings.state().model().affinity().groupOf(key).isPresent();
    }

    private static JobOptions options(TaskWork task, String tag, JobOverrides own) {
        return new JobOptions(
                tag,
                task.priority(),
                own.timeout().orElse(task.timeout()),
                own.retry().orElse(task.retry()),
                own.limit());
    }

    private static TaskResolution limited(
            TaskWork task,
            StepKey key,
            int attempt,
            TaskWork.Fixed target,
            JsonValue input,
            Bindings bindings,
            JobOptions options) {
        if (task.limit().isEmpty() || options.limit().isPresent()) {
            return job(task, key, attempt, target, input, bindings, options);
        }
        return switch (LimitResolution.of(task.limit().get(), target.job(), bindings)) {
            case LimitResolution.Known(JobLimit limit) ->
                job(task, key, attempt, target, input, bindings, options.with(Optional.of(limit)));
            case LimitResolution.Unusable(JobError error) -> new Broken(error);
        };
    }

    private static TaskResolution job(
            TaskWork task,
            StepKey key,
            int attempt,
            TaskWork.Fixed target,
            JsonValue input,
            Bindings bindings,
            JobOptions options) {
        if (task.cache().isEmpty()) {
            return new Job(new StartJob(
                    key,
                    target.job(),
                    target.name(),
                    input.json(),
                    options,
                    attempt,
                    Optional.empty(),
                    taken(bindings)));
        }
        return switch (CacheUse.of(task.cache().get(), input, bindings)) {
            case CacheUse.Asking.Asked asked ->
                new Job(new StartJob(
                        key,
                        target.job(),
                        target.name(),
                        input.json(),
                        options,
                        attempt,
                        Optional.of(asked.use()),
                        taken(bindings)));
            case CacheUse.Asking.Unusable unusable -> new Broken(unusable.error());
            case CacheUse.Asking.None _ -> throw new IllegalStateException("\"" + key + "\" asks for no cache");
        };
    }

    private static Optional<JobId> taken(Bindings bindings) {
        return bindings.job().flatMap(NewJobId::taken);
    }

    private static TaskResolution unresolved(String what, Resolution resolution) {
        return switch (resolution) {
            case Resolution.Unresolved unresolved -> new Broken(FlowErrors.unresolved(what, unresolved));
            case Resolution.Resolved _ -> throw new IllegalArgumentException("The " + what + " has a value.");
        };
    }
}
