package dev.millrace.client;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.run.v1.RunTarget;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Converts words and times of messages. */
final class Messages {
    private Messages() {}

    static RunState state(dev.millrace.proto.run.v1.Run.State state) {
        return RunState.valueOf(constant(state));
    }

    static dev.millrace.proto.run.v1.Run.State state(RunState state) {
        return dev.millrace.proto.run.v1.Run.State.valueOf("STATE_" + state.name());
    }

    static StepState state(dev.millrace.proto.run.v1.Step.State state) {
        return StepState.valueOf(constant(state));
    }

    static dev.millrace.proto.run.v1.Step.State state(StepState state) {
        return dev.millrace.proto.run.v1.Step.State.valueOf("STATE_" + state.name());
    }

    static LogStream stream(dev.millrace.proto.log.v1.LogChunk.Stream stream) {
        return LogStream.valueOf(constant(stream));
    }

    /** The word of REST for a value such as {@code KIND_FOR_EACH}. */
    static String word(Enum<?> value) {
        return constant(value).toLowerCase(Locale.ROOT);
    }

    static Optional<Instant> time(boolean isSet, Timestamp time) {
        return isSet ? Optional.of(Times.instant(time)) : Optional.empty();
    }

    static RunTarget target(Target target) {
        RunTarget.Builder message = RunTarget.newBuilder();
        if (target instanceof Target.OfFlow flow) {
            message.setFlowPath(flow.path());
        } else if (target instanceof Target.OfFlowHash flow) {
            message.setFlowHash(flow.hash());
        } else if (target instanceof Target.OfScript script) {
            message.setScriptPath(script.path());
        } else if (target instanceof Target.OfScriptHash script) {
            message.setScriptHash(script.hash());
        } else if (target instanceof Target.OfHandler handler) {
            message.setHandler(handler.name());
        }
        return message.build();
    }

    /** The name without its prefix, for example {@code QUEUED} of {@code STATE_QUEUED}. */
    private static String constant(Enum<?> value) {
        return value.name().substring(value.name().indexOf('_') + 1);
    }
}
