package dev.millrace.scheduler.eventhandler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.kafka.SkippedBatch;
import dev.millrace.scheduler.kafka.core.Message;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what topics and their messages are to handlers. */
class TopicEventTest {
    private static final UUID TOPIC = new UUID(1, 2);

    @ParameterizedTest
    @CsvSource({
        "kafka:orders, kafka, orders",
        "kafka:shop/kafka:orders.new_1-2, shop/kafka, orders.new_1-2",
    })
    void namesAConnectionAndATopic(String event, String connection, String topic) {
        assertThat(TopicEvent.of(event)).contains(new TopicEvent(connection, topic));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"conductor:w:orders", "kafka:", "kafka::orders", "kafka:a b", "kafka:a:b:c", "KAFKA:orders"})
    void isNoTopicOtherwise(String event) {
        assertThat(TopicEvent.of(event)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'{\"n\": 1}', '{\"n\": 1}'", "7, 7", "plain, '\"plain\"'", "'{\"n\":', '\"{\\\"n\\\":\"'"})
    void aMessageIsJsonOrText(String value, String message) {
        TopicMessage read = TopicMessage.of(TOPIC, message(value.getBytes(UTF_8)));

        assertThat(read.message()).contains(message);
        assertThat(read.source()).isEqualTo("orders/3/42");
        assertThat(read).isEqualTo(TopicMessage.of(TOPIC, message(value.getBytes(UTF_8))));
        assertThat(read.id())
                .isNotEqualTo(TopicMessage.of(new UUID(1, 3), message(value.getBytes(UTF_8)))
                        .id());
    }

    @Test
    void saysWhyAMessageCannotBeUsed() {
        assertThat(TopicMessage.of(TOPIC, message(new byte[] {(byte) 0xff})).trouble())
                .isEqualTo("The message is neither JSON nor text in UTF-8.");
        assertThat(TopicMessage.of(TOPIC, message("\u00e4".repeat(200_000).getBytes(UTF_8)))
                        .trouble())
                .contains("400000 bytes", "at most 262144");
        assertThat(TopicMessage.skipped(TOPIC, new SkippedBatch("orders", 3, 40, 45, 99), 42)
                        .trouble())
                .startsWith("The messages at offsets 42 to 44 of partition 3 of the topic orders were skipped");
    }

    private static Message message(byte[] value) {
        return new Message("orders", 3, 42, Instant.EPOCH, Optional.empty(), Optional.of(value), Map.of());
    }
}
