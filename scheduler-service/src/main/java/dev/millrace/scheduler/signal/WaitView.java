package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.signal.core.WaitSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A wait as people see it.
 *
 * @param spec absent for a wait for a time
 * @param received how many events have come
 * @param approvers who they came from, where known
 * @param ends when it ends by itself
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
