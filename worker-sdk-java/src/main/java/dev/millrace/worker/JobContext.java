package dev.millrace.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An attempt, as its handler sees it. Thread-safe; useless after the handler has returned. */
public interface JobContext {
    String jobId();

    String runId();

    /** Key of the step that the job executes, for example {@code count[3]}; empty for a job outside of flows. */
    String step();

    String workspace();

    /**
     * Folder for which the job acts, that of the path of its run; empty if it acts for the whole workspace. Whatever a
     * handler keeps from one job for the next belongs to the workspace and folder together.
     */
    String folder();

    /** Number of the attempt, from 1. */
    int attempt();

    /** W3C {@code traceparent}; empty if there is none. */
    String traceparent();

    /** W3C {@code tracestate}, which goes with {@link #traceparent}; empty if there is none. */
    default String tracestate() {
        return "";
    }

    /** The parsed input; a new tree on each call. */
    JsonNode input();

    /** The input as JSON text in UTF-8. */
    byte[] inputBytes();

    /** The input, converted to a type by Jackson. */
    <T> T inputAs(Class<T> type);

    /**
     * Places of the input, as JSON pointers (RFC 6901), that hold values of secrets and resources: the author of the flow has put
     * them there, and whoever starts the flow cannot.
     */
    Set<String> boundPointers();

    /** Time at which the attempt times out and its thread is interrupted; empty if there is no limit. */
    Optional<Instant> deadline();

    /**
     * True once the job is canceled or has timed out: the thread is interrupted, and the handler's result will be
     * ignored.
     */
    boolean isCanceled();

    /** Adds a line to the log of the job. Blocks while the scheduler is behind with storing logs. */
    void log(String line);

    /** Records a message about the step, kept with its log in a separate stream. */
    void trace(String message);

    /**
     * A UUID of this step of this run, the same in all its attempts. Pass it to services that must not do the same work
     * twice.
     */
    String idempotencyKey();

    /**
     * The folder that the steps of a {@code same_worker} group share, created if necessary; empty for a step outside of
     * such groups.
     *
     * @throws JobException if the folder cannot be created
     */
    Optional<Path> sharedFolder();

    /** Readable name of this step of this run, the same in all its attempts: {@code RUN_ID/STEP}. */
    String stepToken();

    /**
     * Writes a value that all steps of the run can read, and so can further attempts of this step. The value stays even
     * if the attempt fails.
     *
     * @param key 1 to 256 characters; a run has at most 1,000 keys
     * @param value written as JSON by Jackson, at most 256 KiB
     * @throws JobException if the job has lost its lease, or the scheduler cannot be reached
     */
    void setData(String key, @Nullable Object value) throws InterruptedException;

    /** Reads a value that a step of the run has written; empty if there is none. Fails as {@link #setData} does. */
    Optional<JsonNode> getData(String key) throws InterruptedException;

    /**
     * Saves the rest of a stream as a blob, and returns once it is durable. It is kept as long as the run, or longer if other
     * runs open it. The bytes go through a temporary file, and memory holds a part.
     *
     * @param mediaType what the bytes are, 1 to 255 printable ASCII characters
     * @throws IOException if the stream cannot be read, or the disk has no room for the file
     * @throws JobException if the blob is too large, the workspace has no room for it, the job has lost its lease, or the
     *     scheduler cannot be reached
     */
    Blob saveBlob(InputStream bytes, String mediaType) throws IOException, InterruptedException;

    /** Saves a file as a blob, as {@link #saveBlob(InputStream, String)} does. Nobody may change the file meanwhile. */
    Blob saveBlob(Path file, String mediaType) throws IOException, InterruptedException;

    /**
     * Loads a blob into a temporary file and opens it. The file goes when the stream is closed.
     *
     * @throws IOException if the disk has no room for the file
     * @throws JobException if the workspace has no such blob, the job has lost its lease, or the scheduler cannot be
     *     reached
     */
    InputStream openBlob(Blob blob) throws IOException, InterruptedException;

    /**
     * Acquires a mutex of the folder of the run, or of the workspace if its name begins with {@code /}, and waits while other jobs hold it. A job that holds the mutex may acquire it
     * again. The mutex becomes free when every hold is closed, when its time is over, and when the job ends. A further
     * attempt of the job takes it over.
     *
     * @param name 1 to 256 characters
     * @param ttl time after which the hold ends unless it is closed, at most 24 hours
     * @param patience longest wait; zero does not wait
     * @return empty if other jobs held the mutex all the time
     * @throws JobException if the job has lost its lease, or the scheduler cannot be reached
     */
    Optional<JobLock> lock(String name, Duration ttl, Duration patience) throws InterruptedException;
}
