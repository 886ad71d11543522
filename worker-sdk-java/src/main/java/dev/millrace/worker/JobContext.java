package dev.millrace.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/** What a handler knows of the attempt it runs. Thread-safe; of no use after the handler has returned. */
public interface JobContext {
    String jobId();

    String runId();

    /** Place of the job in its flow, for example {@code count[3]}; empty for a job of its own. */
    String stepKey();

    String workspace();

    /** Number of the attempt, from 1. */
    int attempt();

    /** W3C {@code traceparent}; empty for none. */
    String traceparent();

    /** The input, parsed. A new tree each time. */
    JsonNode input();

    /** The input as JSON text in UTF-8. */
    byte[] inputBytes();

    /** The input bound to a type by Jackson. */
    <T> T inputAs(Class<T> type);

    /** When the attempt times out; its thread is interrupted then. Empty for never. */
    Optional<Instant> deadline();

    /** True once the job is canceled or has timed out: whatever the handler returns is no longer wanted. The thread is interrupted too. */
    boolean isCancelled();

    /** Adds a line to the log of the job. Waits while the scheduler is behind with storing logs. */
    void log(String line);
}
