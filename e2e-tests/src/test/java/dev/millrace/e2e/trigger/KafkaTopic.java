package dev.millrace.e2e.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.harness.KafkaBroker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic to which a test sends messages. */
public final class KafkaTopic implements AutoCloseable {
    private static final int ITERATIONS = 4_096;
    private static final int LINGER_MILLIS = 60_000;

    private final String servers;
    private final String name;
    private final KafkaProducer<byte[], byte[]> producer;

    private KafkaTopic(String servers, String name, KafkaProducer<byte[], byte[]> producer) {
        this.servers = servers;
        this.name = name;
        this.producer = producer;
    }

    public static KafkaTopic create(KafkaBroker broker, String name, int partitions)
            throws ExecutionException, InterruptedException {
        return create(broker, new NewTopic(name, partitions, (short) 1), Map.of());
    }

    /** A topic with one partition whose batches may be this long; what is sent until a flush is one batch. */
    public static KafkaTopic createLarge(KafkaBroker broker, String name, int bytesMax)
            throws ExecutionException, InterruptedException {
        return create(
                broker,
                new NewTopic(name, 1, (short) 1).configs(Map.of("max.message.bytes", Integer.toString(bytesMax))),
                Map.of(
                        "batch.size",
                        bytesMax,
                        "max.request.size",
                        bytesMax,
                        "buffer.memory",
                        2L * bytesMax,
                        "linger.ms",
                        LINGER_MILLIS));
    }

    /** A topic like {@link #createLarge} whose messages are compressed, so that large ones are short on their way. */
    public static KafkaTopic createCompressed(KafkaBroker broker, String name, String compression, int bytesMax)
            throws ExecutionException, InterruptedException {
        return create(
                broker,
                new NewTopic(name, 1, (short) 1).configs(Map.of("max.message.bytes", Integer.toString(bytesMax))),
                Map.of(
                        "compression.type",
                        compression,
                        "max.request.size",
                        bytesMax,
                        "buffer.memory",
                        2L * bytesMax,
                        "linger.ms",
                        LINGER_MILLIS));
    }

    private static KafkaTopic create(KafkaBroker broker, NewTopic topic, Map<String, Object> settings)
            throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.servers()))) {
            admin.createTopics(List.of(topic)).all().get();
        }
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", broker.servers());
        all.put("enable.idempotence", true);
        return new KafkaTopic(
                broker.servers(),
                topic.name(),
                new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /** Lets somebody come in with a password that the brokers keep. */
    void allowScram(String user, String password) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                            user, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, ITERATIONS), password)))
                    .all()
                    .get();
        }
    }

    String name() {
        return name;
    }

    /** Sends a message without waiting until the broker has it. */
    public void send(String key, String value) {
        var _ = producer.send(new ProducerRecord<>(name, key.getBytes(UTF_8), value.getBytes(UTF_8)));
    }

    /** Waits until the broker has all messages. */
    public void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
    }
}
