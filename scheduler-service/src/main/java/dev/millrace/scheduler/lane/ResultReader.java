package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import java.util.Optional;

/** Reads the results of steps that flows in progress leave in the history. Any thread may; it blocks, and fails while the database is away. */
@FunctionalInterface
public interface ResultReader {
    /** The text of the step's result; empty where its row is gone. */
    Optional<String> find(JobId job);
}
