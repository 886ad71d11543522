package dev.millrace.scheduler.eventtrigger;

import dev.millrace.proto.trigger.v1.EventSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.trigger.DeclaredFields;
import dev.millrace.scheduler.trigger.DeclaredKind.Declared;
import dev.millrace.scheduler.trigger.DeclaredSpecProtos;
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
        TriggerSpec spec = DeclaredSpecProtos.read(flow, fields, source.build());
        return new Declared(spec);
    }
}
