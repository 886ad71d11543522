package dev.millrace.handler.kafka;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.kafka.BoundedNetwork;
import dev.millrace.kafka.ResponseLimit;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.JobHandler;
import java.net.InetAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.producer.BoundedProducers;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Handler {@code millrace.kafka}: publishes one message and returns {@code {"topic", "partition", "offset"}} once the
 * brokers have acknowledged it. Thread-safe; its messages share long-lived producers.
 */
public final class KafkaHandler implements JobHandler, AutoCloseable {
    /** Name under which workers offer the handler. */
    public static final String NAME = KafkaMessage.HANDLER;

    private static final KafkaAddresses GUARD = new KafkaAddresses(InetAddress::getAllByName);

    private final KafkaHandlerOptions options;
    private final Producers producers;

    public KafkaHandler(KafkaHandlerOptions options) {
        this(
                options,
                key -> BoundedProducers.create(
                        key.settings(options.settings()),
                        new BoundedNetwork(
                                new ResponseLimit(KafkaHandlerOptions.RESPONSE_BYTES_MAX),
                                options.trusts(key.bootstrapServers()) ? InetAddress::getAllByName : GUARD)));
    }

    KafkaHandler(KafkaHandlerOptions options, Function<ProducerKey, Producer<byte[], byte[]>> factory) {
        this.options = options;
        this.producers = new Producers(factory, KafkaHandlerOptions.PRODUCERS_IDLE_MAX);
    }

    @Override
    public ObjectNode handle(JobContext context) throws InterruptedException {
        KafkaMessage message = KafkaMessage.read(context.inputBytes(), options);
        ProducerKey key = ProducerKey.of(message);
        if (!options.trusts(message.bootstrapServers())) {
            GUARD.check(message.bootstrapServers());
        }
        try {
            Producer<byte[], byte[]> producer = producers.take(key);
            boolean published = false;
            try {
                RecordMetadata metadata = publish(producer, message);
                published = true;
                return result(metadata);
            } finally {
                if (published) {
                    producers.release(key);
                } else {
                    producers.discard(key);
                }
            }
        } catch (InterruptException interrupted) {
            throw new InterruptedException(interrupted.getMessage());
        } catch (KafkaException failure) {
            throw failed(message, failure);
        }
    }

    private static RecordMetadata publish(Producer<byte[], byte[]> producer, KafkaMessage message)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + message.timeout().toNanos();
        Future<RecordMetadata> sent = producer.send(message.toRecord());
        try {
            return sent.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw timeout(message);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException failure ? failure : new KafkaException(e.getCause());
        }
    }

    private static ObjectNode result(RecordMetadata metadata) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("topic", metadata.topic());
        result.put("partition", metadata.partition());
        result.put("offset", metadata.hasOffset() ? metadata.offset() : null);
        return result;
    }

    private static JobException failed(KafkaMessage message, KafkaException failure) {
        if (failure instanceof org.apache.kafka.common.errors.TimeoutException) {
            return timeout(message);
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return new JobException(
                "KafkaError",
                "The message for topic " + message.topic() + " was not published through " + message.bootstrapServers()
                        + ": " + cause.getClass().getSimpleName() + ": " + cause.getMessage(),
                failure instanceof RetriableException);
    }

    private static JobException timeout(KafkaMessage message) {
        return new JobException(
                "KafkaTimeout",
                "No broker of " + message.bootstrapServers() + " acknowledged the message for topic " + message.topic()
                        + " within " + message.timeout().toMillis()
                        + " ms. It may have been published all the same, unless none of them can be reached.",
                true);
    }

    @Override
    public void close() {
        producers.close();
    }
}
