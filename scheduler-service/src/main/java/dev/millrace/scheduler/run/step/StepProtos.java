package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.run.RunProtos;
import java.util.Objects;
import java.util.Optional;

/** Converts steps to messages. */
public final class StepProtos {
    private StepProtos() {}

    public static dev.millrace.proto.run.v1.Step step(Step step) {
        var message = dev.millrace.proto.run.v1.Step.newBuilder()
                .setJobId(step.id().toString())
                .setKey(step.key())
                .setKind(kind(step.kind()))
                .setState(state(step.state()))
                .setAttempt(step.attempt())
                .setCreateTime(TimeProtos.timestamp(step.times().created()))
                .setWorker(step.worker())
                .setFromCache(step.fromCache())
                .setErased(step.erased());
        step.childRun().map(RunId::toString).ifPresent(message::setChildRunId);
        RunProtos.bytes(step.payloads().input()).ifPresent(message::setInput);
        RunProtos.bytes(step.payloads().result()).ifPresent(message::setResult);
        step.error().map(RunProtos::error).ifPresent(message::setError);
        step.times().started().map(TimeProtos::timestamp).ifPresent(message::setStartTime);
        step.times().ended().map(TimeProtos::timestamp).ifPresent(message::setEndTime);
        step.times().waited().map(TimeProtos::duration).ifPresent(message::setWaitDuration);
        step.times().ran().map(TimeProtos::duration).ifPresent(message::setRunDuration);
        return message.build();
    }

    /** A step with what its code has told last about how far it is. */
    public static dev.millrace.proto.run.v1.Step step(Step step, Optional<Json> progress) {
        var message = step(step);
        return RunProtos.bytes(progress)
                .map(value -> message.toBuilder().setProgress(value).build())
                .orElse(message);
    }

    /** The step of a folded loop with its iterations. */
    public static dev.millrace.proto.run.v1.Step folded(
            dev.millrace.proto.run.v1.Step step, Optional<IterationCounts> iterations) {
        return iterations
                .map(counts -> step.toBuilder().setIterations(counts(counts)).build())
                .orElse(step);
    }

    public static dev.millrace.proto.run.v1.IterationCounts counts(IterationCounts counts) {
        return dev.millrace.proto.run.v1.IterationCounts.newBuilder()
                .setTotal(counts.total())
                .setQueued(counts.of(StepState.QUEUED))
                .setRunning(counts.of(StepState.RUNNING))
                .setSucceeded(counts.of(StepState.SUCCEEDED))
                .setFailed(counts.of(StepState.FAILED))
                .setCanceled(counts.of(StepState.CANCELED))
                .setSkipped(counts.of(StepState.SKIPPED))
                .setOnlyLive(counts.isOnlyLive())
                .build();
    }

    public static dev.millrace.proto.run.v1.Iteration iteration(Iteration iteration) {
        var message = dev.millrace.proto.run.v1.Iteration.newBuilder()
                .setNumber(iteration.number())
                .setKey(iteration.key())
                .setState(state(iteration.state()))
                .setCreateTime(TimeProtos.timestamp(iteration.times().created()));
        iteration.times().started().map(TimeProtos::timestamp).ifPresent(message::setStartTime);
        iteration.times().ended().map(TimeProtos::timestamp).ifPresent(message::setEndTime);
        return message.build();
    }

    /** Reads a state that a request names; fails if it names none. */
    public static StepState state(dev.millrace.proto.run.v1.Step.State state) {
        return switch (state) {
            case STATE_QUEUED -> StepState.QUEUED;
            case STATE_RUNNING -> StepState.RUNNING;
            case STATE_SUCCEEDED -> StepState.SUCCEEDED;
            case STATE_FAILED -> StepState.FAILED;
            case STATE_CANCELED -> StepState.CANCELED;
            case STATE_SKIPPED -> StepState.SKIPPED;
            case STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw MillraceException.invalid("states", state + " (expected: a state of a step)");
        };
    }

    /** Kinds have the same numbers in the API as in the database. */
    static dev.millrace.proto.run.v1.Step.Kind kind(JobKind kind) {
        return Objects.requireNonNull(dev.millrace.proto.run.v1.Step.Kind.forNumber(kind.code()), kind::name);
    }

    private static dev.millrace.proto.run.v1.Step.State state(StepState state) {
        return switch (state) {
            case QUEUED -> dev.millrace.proto.run.v1.Step.State.STATE_QUEUED;
            case RUNNING -> dev.millrace.proto.run.v1.Step.State.STATE_RUNNING;
            case SUCCEEDED -> dev.millrace.proto.run.v1.Step.State.STATE_SUCCEEDED;
            case FAILED -> dev.millrace.proto.run.v1.Step.State.STATE_FAILED;
            case CANCELED -> dev.millrace.proto.run.v1.Step.State.STATE_CANCELED;
            case SKIPPED -> dev.millrace.proto.run.v1.Step.State.STATE_SKIPPED;
        };
    }
}
