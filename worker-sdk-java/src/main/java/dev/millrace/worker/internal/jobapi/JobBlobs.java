package dev.millrace.worker.internal.jobapi;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves and loads blobs for running jobs. The bytes go between a file in the temporary folder of the process and the
 * scheduler, part by part, so that the worker never holds a whole blob. While the scheduler is away or has too many
 * uploads, a transfer begins again, as long as the job is held. Thread-safe; no method waits.
 */
public final class JobBlobs {
    /** Largest number of blobs that one worker saves and loads at a time; others wait for their turn. */
    static final int TRANSFERS_MAX = 16;
    /** Longest time from the first failure of a transfer until it is given up. */
    static final Duration OUTAGE_MAX = Duration.ofSeconds(60);

    private static final Logger logger = LoggerFactory.getLogger(JobBlobs.class);
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);
    private static final Duration IDLE_TIME = Duration.ofSeconds(30);
    /** A plain name, so that no path leads out of the folder of the process. */
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");

    private static final Set<Status.Code> AWAY = EnumSet.of(
            Status.Code.UNAVAILABLE,
            Status.Code.DEADLINE_EXCEEDED,
            Status.Code.UNAUTHENTICATED,
            Status.Code.RESOURCE_EXHAUSTED);

    private final Channel channel;
    private final Executor transfers = executor();

    JobBlobs(Channel channel) {
        this.channel = requireNonNull(channel, "channel");
    }

    /**
     * Saves a file as a blob. The result is the reference of the blob.
     *
     * @param folder temporary folder of the process
     * @param name name of the file in it, which the process leaves alone meanwhile
     */
    CompletableFuture<JobApiAnswer> save(LeasedJob job, Path folder, String name, String mediaType) {
        Path file = file(folder, name);
        return perform(job, () -> {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("it is no regular file");
            }
            return BlobUpload.run(channel, job, file, job.masks().text(mediaType));
        });
    }

    /**
     * Loads a blob into a new file. The result is the reference of the blob.
     *
     * @param folder temporary folder of the process
     * @param name name of the file, which does not exist yet
     */
    CompletableFuture<JobApiAnswer> load(LeasedJob job, Path folder, String name, String blobId) {
        Path file = file(folder, name);
        return perform(job, () -> BlobDownload.run(channel, job, blobId, file));
    }

    private static Path file(Path folder, String name) {
        if (!FILE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "file: \"" + name + "\" (expected: 1 to 100 letters, digits, underscores and hyphens)");
        }
        return folder.resolve(name);
    }

    private CompletableFuture<JobApiAnswer> perform(LeasedJob job, Transfer transfer) {
        return CompletableFuture.supplyAsync(() -> repeat(job, transfer), transfers);
    }

    /** Repeats a transfer from its beginning until it succeeds, or must not or cannot succeed any more. */
    private static JobApiAnswer repeat(LeasedJob job, Transfer transfer) {
        long endNanos = 0;
        while (true) {
            try {
                return new JobApiAnswer.Value(transfer.run());
            } catch (StatusRuntimeException failure) {
                endNanos = endNanos == 0 ? System.nanoTime() + OUTAGE_MAX.toNanos() : endNanos;
                boolean isAway = AWAY.contains(failure.getStatus().getCode());
                boolean isFull = ErrorReason.of(failure).equals(ErrorReason.QUOTA_EXCEEDED);
                if (!isAway || isFull || endNanos - System.nanoTime() <= 0 || !job.isHeld()) {
                    return JobApiAnswer.Failed.of(failure);
                }
            } catch (IOException failure) {
                return new JobApiAnswer.Failed(
                        JobApiAnswer.Failed.FILE_FAILED,
                        "The worker cannot use the file of the blob in the temporary folder of the process: " + failure
                                + ".");
            } catch (RuntimeException fault) {
                // Without an answer, the script would wait until its time is over.
                logger.error("A transfer of a blob failed in the worker.", fault);
                return JobApiAnswer.Failed.of(Status.INTERNAL
                        .withDescription("The worker failed: " + fault)
                        .asRuntimeException());
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                return JobApiAnswer.Failed.of(Status.CANCELLED.asRuntimeException());
            }
            LockSupport.parkNanos(RETRY_DELAY.toNanos());
        }
    }

    private static Executor executor() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                TRANSFERS_MAX,
                TRANSFERS_MAX,
                IDLE_TIME.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Threads.named("millrace-blob"));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Moves the bytes of one blob, and returns its reference as JSON. */
    private interface Transfer {
        String run() throws IOException, InterruptedException;
    }
}
