package dev.millrace.scheduler.submission;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.scheduler.queue.core.Json;

/**
 * A run that is stored to be submitted later, any number of times.
 *
 * @param bytes the message {@link RunSpec}
 */
public record RunTemplate(ByteString bytes) {
    public RunTemplate {
        requireNonNull(bytes, "bytes");
    }

    public static RunTemplate of(RunSpec spec) {
        return new RunTemplate(spec.toByteString());
    }

    /** The same run with another input. */
    public RunTemplate withInput(Json input) {
        return of(spec().toBuilder()
                .setInput(ByteString.copyFromUtf8(input.text()))
                .build());
    }

    /** The input as given; {@code {}} if there is none. */
    public Json input() {
        ByteString input = spec().getInput();
        return input.isEmpty() ? Json.EMPTY_OBJECT : new Json(input.toStringUtf8());
    }

    /** Path of the flow that the runs execute; empty for other targets. */
    public String flowPath() {
        return spec().getTarget().getFlowPath();
    }

    public RunSpec spec() {
        try {
            return RunSpec.parseFrom(bytes);
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored template of a run is no RunSpec", damaged);
        }
    }
}
