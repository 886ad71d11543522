package dev.millrace.scheduler.kafka;

import dev.millrace.proto.trigger.v1.KafkaSource;
import dev.millrace.proto.trigger.v1.KafkaSource.Format;
import dev.millrace.proto.trigger.v1.KafkaSource.Start;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trigger.DeclaredFields;
import dev.millrace.scheduler.trigger.DeclaredKind.Declared;
import dev.millrace.scheduler.trigger.DeclaredSpecProtos;
import dev.millrace.scheduler.trigger.TriggerSpec;
import java.util.List;

/** Reads the triggers of Kafka that the file of a flow declares. */
public final class DeclaredKafkaProtos {
    private static final List<String> KEYS = List.of(
            "connection", "topics", "group", "start", "format", "batch_max", "batch_wait", "input", "description");
    private static final String READ_AS = "kafka";

    private DeclaredKafkaProtos() {}

    public static Declared read(String flow, DeclaredFields fields) {
        fields.allow(KEYS);
        KafkaSource.Builder source = KafkaSource.newBuilder().addAllTopics(fields.texts("topics"));
        fields.text("connection")
                .ifPresentOrElse(
                        source::setConnection,
                        () -> fields.refuse(
                                "connection",
                                "is missing (expected: the path of a resource that says how to reach the brokers)"));
        fields.text("group").ifPresent(source::setGroup);
        DeclaredSpecProtos.word(fields, "start", "START_", Start.values(), Start.UNRECOGNIZED)
                .ifPresent(source::setStart);
        DeclaredSpecProtos.word(fields, "format", "FORMAT_", Format.values(), Format.UNRECOGNIZED)
                .ifPresent(source::setFormat);
        fields.number("batch_max").ifPresent(source::setBatchMax);
        fields.duration("batch_wait").map(TimeProtos::duration).ifPresent(source::setBatchWait);
        Violations violations = new Violations();
        KafkaProtos.check(source.build(), violations);
        fields.refuse(violations, READ_AS);
        TriggerSpec spec = DeclaredSpecProtos.read(flow, fields, source.build());
        return new Declared(spec);
    }
}
