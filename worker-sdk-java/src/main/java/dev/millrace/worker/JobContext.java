package dev.millrace.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** Says something about the step on purpose: kept with its log, in a stream of its own. */
    void trace(String message);

    /** A UUID that names this step of this run in all its attempts: hand it to services that must not do the same thing twice. */
    String idempotencyKey();

    /**
     * The folder that the steps of a {@code same_worker} group share, created where it was not there yet; empty for a step that keeps to no worker.
     *
     * @throws JobException where it cannot be created
     */
    Optional<Path> sharedFolder();

    /** Names this step of this run in all its attempts, as people can read it: {@code RUN_ID/STEP_KEY}. */
    String stepToken();

    /**
     * Writes a value that all steps of the run see from then on, further attempts of this one too. It stays, whatever becomes of the attempt.
     *
     * @param key 1 to 256 characters; a run has at most 1,000
     * @param value written as JSON by Jackson, at most 256 KiB
     * @throws JobException where the lease of the job is gone, or the scheduler cannot be asked
     */
    void setData(String key, @Nullable Object value) throws InterruptedException;

    /** Reads what a step of the run has written; empty where none has. Fails as {@link #setData} does. */
    Optional<JsonNode> getData(String key) throws InterruptedException;

    /**
     * Takes a mutex of the workspace, waiting while others hold it. The job may take it again while it holds it. It is free once every hold
     * has been closed, when its time is over, and when the job has ended; a further attempt of the job takes it over.
     *
     * @param name 1 to 256 characters
     * @param ttl how long it is held unless it is closed, at most 24 hours
     * @param patience how long to wait; zero for not at all
     * @return empty where others held it all the time
     * @throws JobException where the lease of the job is gone, or the scheduler cannot be asked
     */
    Optional<JobLock> lock(String name, Duration ttl, Duration patience) throws InterruptedException;
}
