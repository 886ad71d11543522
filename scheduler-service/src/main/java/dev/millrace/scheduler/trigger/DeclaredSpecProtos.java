package dev.millrace.scheduler.trigger;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.scheduler.submission.RunTemplate;

/** Reads what the declared triggers of all kinds have in common: {@code input} and {@code description}. */
public final class DeclaredSpecProtos {
    private DeclaredSpecProtos() {}

    /** A trigger that starts a flow, with these settings of its kind. */
    public static TriggerSpec read(String flow, DeclaredFields fields, Message settings) {
        RunSpec.Builder run =
                RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setFlowPath(flow));
        fields.value("input").ifPresent(input -> run.setInput(ByteString.copyFromUtf8(input.text())));
        return new TriggerSpec(
                RunTemplate.of(run.build()),
                settings.toByteString(),
                fields.text("description").orElse(""));
    }
}
