package dev.millrace.scheduler.trigger;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.proto.trigger.v1.KafkaSource;
import dev.millrace.proto.trigger.v1.MqttSource;
import dev.millrace.proto.trigger.v1.PostgresSource;
import dev.millrace.proto.trigger.v1.WebhookSource;
import dev.millrace.scheduler.expression.ReferenceKind;
import java.util.List;

/** Reads from the settings of triggers to which secrets and resources they refer. */
final class TriggerReferenceProtos {
    private TriggerReferenceProtos() {}

    /** A secret or resource. */
    record Reference(ReferenceKind kind, String path) {}

    static List<Reference> of(TriggerKind kind, ByteString settings) {
        try {
            return switch (kind) {
                case WEBHOOK ->
                    WebhookSource.parseFrom(settings).getSecretsList().stream()
                            .distinct()
                            .map(path -> new Reference(ReferenceKind.SECRET, path))
                            .toList();
                case KAFKA -> connection(KafkaSource.parseFrom(settings).getConnection());
                case POSTGRES -> connection(PostgresSource.parseFrom(settings).getConnection());
                case MQTT -> connection(MqttSource.parseFrom(settings).getConnection());
                case SCHEDULE, EVENT -> List.of();
            };
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the settings of a trigger are no message of its kind", damaged);
        }
    }

    private static List<Reference> connection(String path) {
        return List.of(new Reference(ReferenceKind.RESOURCE, path));
    }
}
