package dev.millrace.scheduler.kafka;

import dev.millrace.kafka.ResponseBudget;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.kafka.core.ClientSettings;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.trigger.AllowedHosts;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerLags;
import dev.millrace.scheduler.trigger.TriggerListener;

/** Makes consumers of Kafka, and checks the resources that say how they connect. Thread-safe. */
public final class TopicConsumers {
    private static final int HEAP_PARTS = 8;

    private final AllowedHosts hosts;
    private final TriggerConnections connections;
    /** An eighth of the heap for what brokers send, since records and inputs are copies of it. */
    private final ResponseBudget budget = new ResponseBudget(
            Math.max(TopicConsumer.RESPONSE_BYTES_MAX, Runtime.getRuntime().maxMemory() / HEAP_PARTS));

    public TopicConsumers(AllowedHosts hosts, TriggerConnections connections) {
        this.hosts = hosts;
        this.connections = connections;
    }

    /** A consumer, which connects once it runs. */
    public TriggerListener consumer(Consumed consumed, Positions positions, Intake intake, TriggerLags.OfTrigger lag) {
        return new TopicConsumer(consumed, hosts, connections, budget, positions, intake, lag);
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
