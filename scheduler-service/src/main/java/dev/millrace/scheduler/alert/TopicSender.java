package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.alert.core.Channel;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.event.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends events to topics of Kafka, those of an alert in their order. No broker accepts an event of a partition after one that
 * is missing: a producer numbers its messages, its messages never expire, and it is closed at the first failure. Whoever
 * sends again begins at the same position, so that copies never bring events out of order. Blocking; each alert is sent by
 * one thread at a time.
 */
final class TopicSender implements AutoCloseable {
    /** Maximum time for a batch of events to reach the brokers: shorter than a scheduler holds an alert. */
    static final Duration PATIENCE = Duration.ofSeconds(20);
    /** How long the events of an alert wait after a failure. */
    static final Duration PAUSE = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(TopicSender.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    private final TopicProducers producers;
    private final Duration pause;
    private final Map<AlertKey, Open> open = new ConcurrentHashMap<>();
    private final Map<AlertKey, Long> pausedSince = new ConcurrentHashMap<>();

    /** @param pause how long the events of an alert wait after a failure */
    TopicSender(TopicProducers producers, Duration pause) {
        this.producers = producers;
        this.pause = pause;
    }

    /** A producer for an alert as it stands. */
    private record Open(int version, Producer<byte[], byte[]> producer) {}

    /** Whether events of the alert could not be sent a moment ago. */
    boolean isPaused(HeldAlert held) {
        Long since = pausedSince.get(held.key());
        return since != null && System.nanoTime() - since < pause.toNanos();
    }

    /**
     * Sends events, and returns once the brokers have all of them: whether the alert had to wait before.
     *
     * @throws StreamTrouble if the brokers may have only some of them, which are to be sent again with all that follow
     */
    boolean send(HeldAlert held, Channel.Kafka kafka, List<Subscription.Read> events)
            throws StreamTrouble, InterruptedException {
        try {
            Producer<byte[], byte[]> producer = producer(held, kafka);
            long begin = System.nanoTime();
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (Subscription.Read event : events) {
                Future<RecordMetadata> each = producer.send(TopicMessage.of(kafka.topic(), kafka.isBinary(), event));
                if (each.isDone()) {
                    // One that was refused at once must not be followed by others.
                    var _ = each.get();
                }
                sent.add(each);
            }
            for (Future<RecordMetadata> each : sent) {
                var _ = each.get(PATIENCE.toNanos() - (System.nanoTime() - begin), TimeUnit.NANOSECONDS);
            }
            return pausedSince.remove(held.key()) != null;
        } catch (ExecutionException refused) {
            throw trouble(held, kafka, reason(refused));
        } catch (TimeoutException late) {
            throw trouble(held, kafka, "the brokers did not confirm them within " + PATIENCE.toSeconds() + " s");
        } catch (InterruptException interrupted) {
            drop(held.key());
            throw new InterruptedException();
        } catch (IOException | KafkaException | MillraceException | IllegalStateException failure) {
            throw trouble(held, kafka, reason(failure));
        }
    }

    private static String reason(Exception failure) {
        return String.valueOf(
                Optional.ofNullable(failure.getCause()).orElse(failure).getMessage());
    }

    private StreamTrouble trouble(HeldAlert held, Channel.Kafka kafka, String why) {
        drop(held.key());
        pausedSince.put(held.key(), System.nanoTime());
        return new StreamTrouble("Events cannot be sent to the topic " + kafka.topic() + " over the resource "
                + kafka.connection() + ": " + why);
    }

    private Producer<byte[], byte[]> producer(HeldAlert held, Channel.Kafka kafka) throws IOException {
        Open known = open.get(held.key());
        if (known != null && known.version() == held.version()) {
            return known.producer();
        }
        drop(held.key());
        Producer<byte[], byte[]> producer = producers.open(held.alert().workspace(), kafka.connection());
        open.put(held.key(), new Open(held.version(), producer));
        return producer;
    }

    /** Closes the producer of an alert at once: what it has not sent is not sent. */
    private void drop(AlertKey key) {
        Open known = open.remove(key);
        if (known != null) {
            close(known, Duration.ZERO);
        }
    }

    /** Closes the producers of all alerts but these, since this scheduler does not hold the others any more. */
    void keep(Set<AlertKey> held) {
        pausedSince.keySet().retainAll(held);
        open.keySet().stream().filter(key -> !held.contains(key)).toList().forEach(this::drop);
    }

    private static void close(Open one, Duration timeout) {
        try {
            one.producer().close(timeout);
        } catch (KafkaException brokersAway) {
            log.atDebug().setCause(brokersAway).log("A producer could not be closed in order");
        }
    }

    @Override
    public void close() {
        open.values().forEach(one -> close(one, CLOSE_TIMEOUT));
    }
}
