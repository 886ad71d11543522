package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.List;
import java.util.UUID;

/** The connected end of a worker's session. Calls return at once and never fail: what cannot be sent is healed on resume. */
public interface LeaseReceiver extends ResultListener {
    SessionId session();

    /** Name of the worker, for people. */
    String workerName();

    /** Gives jobs to the worker, after their leases are durable. */
    void deliver(List<Delivery> deliveries);

    /** Takes leases away. */
    void cancel(List<Cancellation> cancellations);

    /** The folders of these groups are needed no more. */
    void endFolders(List<UUID> groups);

    /** A leased job with its input. */
    record Delivery(LeasedJob lease, Json input) {}

    /** What became of a result; {@code refusal} says why it was refused and is empty where it was accepted. */
    record ResultAck(JobId job, LeaseToken token, String refusal) {}

    /** A lease that is no longer valid, and why. */
    record Cancellation(JobId job, LeaseToken token, String reason) {}
}
