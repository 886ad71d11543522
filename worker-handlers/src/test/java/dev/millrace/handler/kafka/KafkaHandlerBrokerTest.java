package dev.millrace.handler.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.handler.TestJob;
import dev.millrace.harness.KafkaBroker;
import dev.millrace.worker.JobException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends messages to a real broker. One test only, because the broker takes some seconds to start. */
class KafkaHandlerBrokerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void publishesToABrokerAndSaysWhatItRefusesAndWhenItIsAway() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder);
                KafkaHandler handler = new KafkaHandler(
                        new KafkaHandlerOptions(Map.of("bootstrap.servers", broker.servers()), false))) {
            JsonNode first = handler.handle(TestJob.of("""
                    {'topic': 'orders', 'key': 'k-1', 'value': {'amount': 1.50}, 'headers': {'source': 'flow'}, 'partition': 2}"""));
            JsonNode second = handler.handle(TestJob.of("{'topic': 'orders', 'partition': 2, 'key': 'k-1'}"));
            JobException tooLarge = catchThrowableOfType(
                    JobException.class,
                    () -> handler.handle(TestJob.of(
                            "{'topic': 'orders', 'value': '%s'}", "x".repeat(2 * KafkaBroker.MESSAGE_BYTES_MAX))));

            assertThat(first.toString()).isEqualTo("{\"topic\":\"orders\",\"partition\":2,\"offset\":0}");
            assertThat(second.path("offset").asInt()).isEqualTo(1);
            assertThat(tooLarge).hasMessageContaining("RecordTooLargeException");
            assertThat(tooLarge.isRetryable()).isFalse();
            List<ConsumerRecord<byte[], byte[]>> published = read(broker, new TopicPartition("orders", 2), 2);
            assertThat(new String(published.getFirst().key(), UTF_8)).isEqualTo("k-1");
            assertThat(new String(published.getFirst().value(), UTF_8)).isEqualTo("{\"amount\":1.50}");
            assertThat(new String(
                            published.getFirst().headers().lastHeader("source").value(), UTF_8))
                    .isEqualTo("flow");
            assertThat(published.getLast().value()).as("a tombstone").isNull();

            broker.stop();
            long begin = System.nanoTime();
            JobException away = catchThrowableOfType(
                    JobException.class,
                    () -> handler.handle(TestJob.of("{'topic': 'orders', 'value': 1, 'timeout': '1s'}")));

            assertThat(away.name()).isEqualTo("KafkaTimeout");
            assertThat(away.isRetryable()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(PATIENCE);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(KafkaBroker broker, TopicPartition partition, int count) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.servers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (records.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).records(partition).forEach(records::add);
            }
            return records;
        }
    }
}
