package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The connected end of a worker's session. Calls return immediately and never fail: when the session resumes, it makes
 * up for whatever could not be sent.
 */
public interface LeaseReceiver extends ResultListener {
    SessionId session();

    /** Name of the worker, for people. */
    String workerName();

    /**
     * Sends those of the jobs to the worker whose leases it does not know and that have not ended, so that no lease is sent
     * twice or after its end. The leases are already durable.
     *
     * @param isHeld whether a lease has not ended; a lease ends for it before its end is sent
     * @return number of jobs sent
     */
    int deliver(List<Delivery> deliveries, Predicate<LeaseKey> isHeld);

    /** Whether the worker knows the lease, because it named the lease when it connected or because the lease was sent. */
    boolean knows(LeaseKey lease);

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
