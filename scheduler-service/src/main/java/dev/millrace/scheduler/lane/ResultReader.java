package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import java.util.Optional;

/**
 * Reads large results, which flows in progress leave in the history. Thread-safe. Blocks, and fails while the database
 * is unavailable.
 */
@FunctionalInterface
public interface ResultReader {
    /** JSON text of the step's result; empty if its row is gone. */
    Optional<String> find(JobId job);
}
