package dev.millrace.scheduler.kafka;

import dev.millrace.kafka.ResponseTurns;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.kafka.core.ClientSettings;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerLags;
import dev.millrace.scheduler.trigger.TriggerListener;
import dev.millrace.tls.AddressRule;

/** Makes consumers of Kafka, and checks the resources that say how they connect. Thread-safe. */
public final class TopicConsumers {
    /** Heap for each consumer that reads large responses at a time: it holds some of them, and copies of their messages. */
    private static final long HEAP_BYTES_A_TURN = 96 << 20;

    private final AddressRule hosts;
    private final TriggerConnections connections;
    private final ResponseTurns turns = new ResponseTurns(
            Math.clamp(Runtime.getRuntime().maxMemory() / HEAP_BYTES_A_TURN, 1, Integer.MAX_VALUE),
            TopicConsumer.SMALL_RESPONSE_BYTES_MAX);

    public TopicConsumers(AddressRule hosts, TriggerConnections connections) {
        this.hosts = hosts;
        this.connections = connections;
    }

    /** A consumer, which connects once it runs. */
    public TriggerListener consumer(Consumed consumed, Positions positions, Intake intake, TriggerLags.OfTrigger lag) {
        return new TopicConsumer(consumed, hosts, connections, turns, positions, intake, lag);
    }

    /**
     * Fails unless an author may use a resource, and it says how to reach brokers.
     *
     * @param field of the request, for the message
     * @param reader path of what reads from there
     */
    public void require(String field, String connection, Workspace workspace, String reader, Access by) {
        connections.require(field, connection, workspace, reader, by);
        ClientSettings.problem(connections.settings(workspace, connection)).ifPresent(problem -> {
            throw MillraceException.invalid(
                    field, "the resource " + connection + " is no connection to Kafka: " + problem);
        });
    }
}
