package dev.millrace.scheduler.kafka;

import com.google.protobuf.ProtocolMessageEnum;
import dev.millrace.proto.trigger.v1.KafkaSource;
import dev.millrace.proto.trigger.v1.KafkaSource.Format;
import dev.millrace.proto.trigger.v1.KafkaSource.Start;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trigger.DeclaredFields;
import dev.millrace.scheduler.trigger.DeclaredKind.Declared;
import dev.millrace.scheduler.trigger.DeclaredSpecProtos;
import dev.millrace.scheduler.trigger.TriggerSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
        word(fields, "start", "START_", Start.values(), Start.UNRECOGNIZED).ifPresent(source::setStart);
        word(fields, "format", "FORMAT_", Format.values(), Format.UNRECOGNIZED).ifPresent(source::setFormat);
        fields.number("batch_max").ifPresent(source::setBatchMax);
        fields.duration("batch_wait").map(TimeProtos::duration).ifPresent(source::setBatchWait);
        Violations violations = new Violations();
        KafkaProtos.check(source.build(), violations);
        fields.refuse(violations, READ_AS);
        TriggerSpec spec = DeclaredSpecProtos.read(flow, fields, source.build());
        return new Declared(spec, spec.run().input(), false);
    }

    /** The value of an enum that a word names. An unknown word is noted. */
    private static <E extends Enum<E> & ProtocolMessageEnum> Optional<E> word(
            DeclaredFields fields, String key, String prefix, E[] values, E unrecognized) {
        Optional<String> word = fields.text(key);
        if (word.isEmpty()) {
            return Optional.empty();
        }
        List<E> known = Arrays.stream(values)
                .filter(value -> value != unrecognized && value.getNumber() != 0)
                .toList();
        Optional<E> found = known.stream()
                .filter(value -> value.name().equals(prefix + word.get().toUpperCase(Locale.ROOT)))
                .findFirst();
        if (found.isEmpty()) {
            List<String> words = known.stream()
                    .map(value -> value.name().substring(prefix.length()).toLowerCase(Locale.ROOT))
                    .toList();
            fields.refuse(key, "\"" + word.get() + "\" (expected: one of " + String.join(", ", words) + ")");
        }
        return found;
    }
}
