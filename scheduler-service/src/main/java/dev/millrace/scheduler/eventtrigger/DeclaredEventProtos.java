package dev.millrace.scheduler.eventtrigger;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.trigger.v1.EventSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.submission.RunTemplate;
import dev.millrace.scheduler.trigger.DeclaredFields;
import dev.millrace.scheduler.trigger.DeclaredKind.Declared;
import dev.millrace.scheduler.trigger.TriggerSpec;
import java.util.List;

/** Reads the triggers of events that the file of a flow declares. */
public final class DeclaredEventProtos {
    private static final List<String> KEYS = List.of("types", "folder", "path", "event_input", "input", "description");
    private static final String READ_AS = "event";

    private DeclaredEventProtos() {}

    public static Declared read(String flow, DeclaredFields fields) {
        fields.allow(KEYS);
        EventSource.Builder source = EventSource.newBuilder().addAllTypes(fields.texts("types"));
        fields.text("folder").ifPresent(source::setFolder);
        fields.text("path").ifPresent(source::setPath);
        fields.text("event_input").ifPresent(source::setEventInput);
        Violations violations = new Violations();
        EventTriggerProtos.check(source.build(), READ_AS, violations);
        fields.refuse(violations, READ_AS);
        RunSpec.Builder run =
                RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setFlowPath(flow));
        fields.value("input").ifPresent(input -> run.setInput(ByteString.copyFromUtf8(input.text())));
        RunTemplate template = RunTemplate.of(run.build());
        return new Declared(
                new TriggerSpec(
                        template,
                        source.build().toByteString(),
                        fields.text("description").orElse("")),
                template.input(),
                false);
    }
}
