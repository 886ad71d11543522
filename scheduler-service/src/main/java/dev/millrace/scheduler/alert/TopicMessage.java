package dev.millrace.scheduler.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.event.Subscription;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Events as messages of Kafka, as the <a
 * href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md">binding of
 * CloudEvents</a> says. The key is the id of the run, so that its events are in one partition.
 */
final class TopicMessage {
    private static final String CONTENT_TYPE = "content-type";
    private static final String DATA = "data";
    private static final String DATA_TYPE = "datacontenttype";

    private TopicMessage() {}

    static ProducerRecord<byte[], byte[]> of(String topic, boolean isBinary, Subscription.Read event) {
        String key =
                event.stored().run().map(Object::toString).orElse(event.stored().name());
        return isBinary ? binary(topic, key, event) : structured(topic, key, event);
    }

    private static ProducerRecord<byte[], byte[]> structured(String topic, String key, Subscription.Read event) {
        var message = new ProducerRecord<>(
                topic, key.getBytes(UTF_8), event.cloudEvent().getBytes(UTF_8));
        message.headers().add(CONTENT_TYPE, "application/cloudevents+json; charset=UTF-8".getBytes(UTF_8));
        return message;
    }

    private static ProducerRecord<byte[], byte[]> binary(String topic, String key, Subscription.Read event) {
        Map<String, JsonValue> members = JsonValue.of(event.cloudEvent()).members();
        byte[] data = members.getOrDefault(DATA, JsonValue.NULL).text().getBytes(UTF_8);
        var message = new ProducerRecord<>(topic, key.getBytes(UTF_8), data);
        members.forEach((name, value) -> {
            if (name.equals(DATA_TYPE)) {
                message.headers().add(CONTENT_TYPE, value.string().getBytes(UTF_8));
            } else if (!name.equals(DATA)) {
                message.headers().add("ce_" + name, value.string().getBytes(UTF_8));
            }
        });
        return message;
    }
}
