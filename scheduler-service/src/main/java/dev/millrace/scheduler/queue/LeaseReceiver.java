package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.List;
import java.util.UUID;

/**
 * The connected end of a worker's session. Calls return immediately and never fail: when the session resumes, it makes
 * up for whatever could not be sent.
 */
public interface LeaseReceiver extends ResultListener {
    SessionId session();

    /** Name of the worker, for people. */
    String workerName();

    /** Sends jobs to the worker. Their leases are already durable. */
    void deliver(List<Delivery> deliveries);

    /** Revokes leases. */
    void cancel(List<Cancellation> cancellations);

    /** Tells the worker that it may delete the folders of these groups. */
    void endFolders(List<UUID> groups);

    record Delivery(LeasedJob lease, Json input) {}

    /** The acknowledgment of a result. {@code refusal} says why the result was rejected; empty if it was accepted. */
    record ResultAck(JobId job, LeaseToken token, String refusal) {}

    /** A lease that is no longer valid, with the reason. */
    record Cancellation(JobId job, LeaseToken token, String reason) {}
}
