package dev.millrace.scheduler.mqtt;

import dev.millrace.proto.trigger.v1.MqttSource;
import dev.millrace.proto.trigger.v1.MqttSource.Format;
import dev.millrace.proto.trigger.v1.MqttSource.Retained;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trigger.DeclaredFields;
import dev.millrace.scheduler.trigger.DeclaredKind.Declared;
import dev.millrace.scheduler.trigger.DeclaredSpecProtos;
import dev.millrace.scheduler.trigger.TriggerSpec;
import java.util.List;

/** Reads the triggers of MQTT that the file of a flow declares. */
public final class DeclaredMqttProtos {
    private static final List<String> KEYS = List.of(
            "connection",
            "topics",
            "qos",
            "format",
            "deduplicate",
            "retained",
            "client_id",
            "session_expiry",
            "batch_max",
            "batch_wait",
            "input",
            "description");
    private static final String READ_AS = "mqtt";

    private DeclaredMqttProtos() {}

    public static Declared read(String flow, DeclaredFields fields) {
        fields.allow(KEYS);
        MqttSource.Builder source = MqttSource.newBuilder().addAllTopics(fields.texts("topics"));
        fields.text("connection")
                .ifPresentOrElse(
                        source::setConnection,
                        () -> fields.refuse(
                                "connection",
                                "is missing (expected: the path of a resource that says how to reach the broker)"));
        fields.number("qos").ifPresent(source::setQos);
        DeclaredSpecProtos.word(fields, "format", "FORMAT_", Format.values(), Format.UNRECOGNIZED)
                .ifPresent(source::setFormat);
        fields.text("deduplicate").ifPresent(source::setDeduplicate);
        DeclaredSpecProtos.word(fields, "retained", "RETAINED_", Retained.values(), Retained.UNRECOGNIZED)
                .ifPresent(source::setRetained);
        fields.text("client_id").ifPresent(source::setClientId);
        fields.duration("session_expiry").map(TimeProtos::duration).ifPresent(source::setSessionExpiry);
        fields.number("batch_max").ifPresent(source::setBatchMax);
        fields.duration("batch_wait").map(TimeProtos::duration).ifPresent(source::setBatchWait);
        Violations violations = new Violations();
        MqttProtos.check(source.build(), violations);
        fields.refuse(violations, READ_AS);
        TriggerSpec spec = DeclaredSpecProtos.read(flow, fields, source.build());
        return new Declared(spec);
    }
}
