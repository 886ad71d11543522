package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.signal.core.WaitSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A wait as users see it.
 *
 * @param spec absent for a wait for a time
 * @param received number of events received
 * @param approvers senders of these events, as far as they are known
 * @param ends when the wait ends by itself; absent if it does not
 */
record WaitView(
        JobId id,
        String stepKey,
        Optional<WaitSpec> spec,
        int received,
        List<String> approvers,
        Instant created,
        Optional<Instant> ends) {
    WaitView {
        approvers = List.copyOf(approvers);
    }
}
