package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.queue.core.Workspace;
import java.io.IOException;
import java.util.Optional;
import org.apache.kafka.clients.producer.Producer;

/** Opens producers of Kafka. Thread-safe. */
interface TopicProducers {
    /**
     * Opens a producer that keeps the order of its messages for as long as it is open.
     *
     * @param connection path of the resource that says how to reach the brokers
     * @throws IOException if the resource is no connection to Kafka, or no broker that it names may be reached
     * @throws dev.millrace.scheduler.error.MillraceException if there is no such resource
     */
    Producer<byte[], byte[]> open(Workspace workspace, String connection) throws IOException;

    /** Why a resource is no connection to Kafka, as a clause; empty if it is one. Fails if there is no such resource. */
    Optional<String> problem(Workspace workspace, String connection);
}
