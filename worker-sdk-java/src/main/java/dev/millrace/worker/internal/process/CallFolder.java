package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.worker.internal.jobapi.JobApiAnswer;
import dev.millrace.worker.internal.jobapi.JobApiCalls;
import dev.millrace.worker.internal.session.JobErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs the calls that a process without a protocol puts into a folder. The command {@code millrace-call} writes
 * {@code NAME.call} and waits at {@code NAME.pipe}; the worker writes {@code NAME.answer}, and then its kind as a line into
 * the pipe.
 *
 * <p>The files are those of user code, so nothing here follows a link or may wait: files are opened for reading and writing,
 * which waits for no other side of a pipe, and only as many bytes are read as a file has, which a pipe has none.
 */
final class CallFolder {
    /** Variable that names the folder to the process. */
    static final String VARIABLE = "MILLRACE_CALLS";

    /** Largest call in bytes. */
    static final int CALL_BYTES_MAX = 1 << 20;

    private static final Logger logger = LoggerFactory.getLogger(CallFolder.class);
    private static final JsonMapper json = new JsonMapper();
    private static final String CALL = ".call";

    private final ScriptPool pool;
    private final WarmProcess warm;
    private final Path temporary;
    private final Path folder;
    private final AtomicInteger open = new AtomicInteger();

    /**
     * @param temporary temporary folder of the process, where the files of blobs are
     * @param folder where the calls appear
     */
    CallFolder(ScriptPool pool, WarmProcess warm, Path temporary, Path folder) {
        this.pool = requireNonNull(pool, "pool");
        this.warm = requireNonNull(warm, "warm");
        this.temporary = requireNonNull(temporary, "temporary");
        this.folder = requireNonNull(folder, "folder");
    }

    Path folder() {
        return folder;
    }

    /** A file has appeared in the folder. Does not wait. */
    void appeared(String file) {
        if (!file.endsWith(CALL)) {
            return;
        }
        if (open.incrementAndGet() > WarmProcess.CALLS_MAX) {
            pool.background().execute(this::refuse);
            return;
        }
        Path name = folder.resolve(file.substring(0, file.length() - CALL.length()));
        try {
            pool.background().execute(() -> {
                var unused = perform(name)
                        .whenCompleteAsync((answer, fault) -> answer(name, answer, fault), pool.background());
            });
        } catch (RejectedExecutionException e) {
            logger.debug("The worker is closing.", e);
        }
    }

    private void refuse() {
        pool.fail(
                warm,
                JobErrors.of(
                        "ProtocolError",
                        "The job made more than " + WarmProcess.CALLS_MAX
                                + " calls at a time: let it wait for answers.",
                        true));
    }

    private CompletableFuture<JobApiAnswer> perform(Path name) {
        ScriptJob job = pool.running(warm);
        if (job == null) {
            return failed(JobApiAnswer.Failed.LEASE_LOST, "The job has ended.");
        }
        try {
            JsonNode call = json.readTree(read(with(name, CALL)));
            return JobApiCalls.perform(
                    pool.jobApi(), job.lease, temporary, call.path("method").asText(), call.path("arguments"));
        } catch (JsonProcessingException e) {
            return failed(
                    JobApiAnswer.Failed.INVALID_CALL,
                    "The arguments of the call are not JSON: " + e.getOriginalMessage() + ".");
        } catch (IOException e) {
            return failed(JobApiAnswer.Failed.INVALID_CALL, "The call cannot be read: " + e.getMessage() + ".");
        } catch (RuntimeException fault) {
            return CompletableFuture.failedFuture(fault);
        }
    }

    private static CompletableFuture<JobApiAnswer> failed(String name, String message) {
        return CompletableFuture.completedFuture(new JobApiAnswer.Failed(name, message));
    }

    private static byte[] read(Path file) throws IOException {
        try (FileChannel channel = open(file)) {
            Files.deleteIfExists(file);
            long size = channel.size();
            if (size == 0 || size > CALL_BYTES_MAX) {
                throw new IOException("it has " + size + " bytes (expected: 1 to " + CALL_BYTES_MAX + ")");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size);
            while (bytes.hasRemaining() && channel.read(bytes) > 0) {
                // A read may return a part.
            }
            return bytes.array();
        }
    }

    private void answer(Path name, JobApiAnswer answer, Throwable fault) {
        open.decrementAndGet();
        if (fault != null) {
            logger.error("A call of a job failed in the worker.", fault);
        }
        boolean isValue = answer instanceof JobApiAnswer.Value;
        String text = answer instanceof JobApiAnswer.Value value
                ? value.json()
                : answer instanceof JobApiAnswer.Failed failed
                        ? failed.name() + ": " + failed.message()
                        : JobApiAnswer.Failed.SCHEDULER_UNAVAILABLE + ": The worker failed: " + fault + ".";
        try {
            Files.write(
                    with(name, ".answer"),
                    (text + "\n").getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
            try (FileChannel pipe = open(with(name, ".pipe"))) {
                pipe.write(ByteBuffer.wrap((isValue ? "value\n" : "error\n").getBytes(StandardCharsets.US_ASCII)));
            }
        } catch (IOException e) {
            logger.debug("A job did not wait for the answer to its call.", e);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    private static Path with(Path name, String ending) {
        return name.resolveSibling(name.getFileName() + ending);
    }
}
