package dev.millrace.scheduler.run;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunTrigger;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.Optional;

/** Converts runs to messages. */
public final class RunProtos {
    private RunProtos() {}

    public static dev.millrace.proto.run.v1.Run run(Run run) {
        var message = dev.millrace.proto.run.v1.Run.newBuilder()
                .setId(run.id().toString())
                .setWorkspace(run.workspace().name())
                .setTarget(target(run.kind(), run.target()))
                .setName(run.name())
                .setState(state(run.state()))
                .setPaused(run.paused())
                .setWaitReason(run.waiting())
                .setFromCache(run.fromCache())
                .setCreateTime(TimeProtos.timestamp(run.times().created()));
        run.origin().map(RunProtos::origin).ifPresent(message::setOrigin);
        bytes(run.options().env()).ifPresent(message::setEnv);
        run.options().startedBy().ifPresent(message::setStartedBy);
        run.options().trigger().map(RunProtos::trigger).ifPresent(message::setTrigger);
        run.options().startWithin().map(TimeProtos::duration).ifPresent(message::setStartWithin);
        bytes(run.payloads().input()).ifPresent(message::setInput);
        bytes(run.payloads().result()).ifPresent(message::setOutput);
        run.error().map(RunProtos::error).ifPresent(message::setError);
        run.times().started().map(TimeProtos::timestamp).ifPresent(message::setStartTime);
        run.times().ended().map(TimeProtos::timestamp).ifPresent(message::setEndTime);
        run.times().waited().map(TimeProtos::duration).ifPresent(message::setWaitDuration);
        run.times().ran().map(TimeProtos::duration).ifPresent(message::setRunDuration);
        return message.build();
    }

    /** A state that a filter names; empty if this program does not know it. */
    public static Optional<RunState> state(dev.millrace.proto.run.v1.Run.State state) {
        return switch (state) {
            case STATE_QUEUED -> Optional.of(RunState.QUEUED);
            case STATE_RUNNING -> Optional.of(RunState.RUNNING);
            case STATE_SUCCEEDED -> Optional.of(RunState.SUCCEEDED);
            case STATE_FAILED -> Optional.of(RunState.FAILED);
            case STATE_CANCELED -> Optional.of(RunState.CANCELED);
            case STATE_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    /** A payload in UTF-8. */
    public static Optional<ByteString> bytes(Optional<Json> json) {
        return json.map(document -> ByteString.copyFromUtf8(document.text()));
    }

    public static JobError error(dev.millrace.scheduler.queue.core.JobError error) {
        return JobError.newBuilder()
                .setName(error.name())
                .setMessage(error.message())
                .setStack(error.stack())
                .setRetryable(error.retryable())
                .build();
    }

    private static dev.millrace.proto.run.v1.RunOrigin origin(RunOrigin origin) {
        return dev.millrace.proto.run.v1.RunOrigin.newBuilder()
                .setRunId(origin.run().toString())
                .setRelation(relation(origin.relation()))
                .setStep(origin.stepKey())
                .build();
    }

    private static dev.millrace.proto.run.v1.RunTrigger trigger(RunTrigger trigger) {
        return dev.millrace.proto.run.v1.RunTrigger.newBuilder()
                .setKind(trigger.kind())
                .setPath(trigger.path())
                .build();
    }

    private static dev.millrace.proto.run.v1.RunOrigin.Relation relation(RunRelation relation) {
        return switch (relation) {
            case RESTART -> dev.millrace.proto.run.v1.RunOrigin.Relation.RELATION_RESTART;
            case RERUN -> dev.millrace.proto.run.v1.RunOrigin.Relation.RELATION_RERUN;
            case START_RUN -> dev.millrace.proto.run.v1.RunOrigin.Relation.RELATION_START_RUN;
            case FAILURE_FLOW -> dev.millrace.proto.run.v1.RunOrigin.Relation.RELATION_FAILURE_FLOW;
            case CHILD_RUN -> dev.millrace.proto.run.v1.RunOrigin.Relation.RELATION_CHILD_RUN;
        };
    }

    private static RunTarget target(JobKind kind, String target) {
        RunTarget.Builder proto = RunTarget.newBuilder();
        if (kind.isJob()) {
            return (kind == JobKind.HANDLER ? proto.setHandler(target) : proto.setScriptHash(target)).build();
        }
        if (kind == JobKind.FLOW) {
            return proto.setFlowHash(target).build();
        }
        throw new IllegalStateException("a run of kind " + kind);
    }

    private static dev.millrace.proto.run.v1.Run.State state(RunState state) {
        return switch (state) {
            case QUEUED -> dev.millrace.proto.run.v1.Run.State.STATE_QUEUED;
            case RUNNING -> dev.millrace.proto.run.v1.Run.State.STATE_RUNNING;
            case SUCCEEDED -> dev.millrace.proto.run.v1.Run.State.STATE_SUCCEEDED;
            case FAILED -> dev.millrace.proto.run.v1.Run.State.STATE_FAILED;
            case CANCELED -> dev.millrace.proto.run.v1.Run.State.STATE_CANCELED;
        };
    }
}
