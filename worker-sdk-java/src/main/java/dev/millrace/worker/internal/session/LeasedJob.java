package dev.millrace.worker.internal.session;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ReturnedJob;
import dev.millrace.proto.worker.v1.Started;
import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.secret.Masks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One leased attempt of a job, from its lease to its single end. The end is a result, an error, a return to the queue,
 * or a drop because the lease is lost.
 *
 * <p>Thread-safe: the first end wins, and later ones have no effect.
 */
public final class LeasedJob {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private enum State {
        HELD,
        ENDED,
        DROPPED
    }

    private final Lease lease;
    private final LeaseKey key;
    private volatile SessionLimits limits;
    private final Outbox outbox;
    private final Optional<Path> sharedFolder;
    private final BooleanSupplier mayBegin;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private volatile long startNanos;
    private volatile long endNanos;
    private final MaskedOutput output = new MaskedOutput();
    private final @Nullable JobSpans spans;
    private volatile long logBytes;
    private final AtomicLong logSequence = new AtomicLong();

    LeasedJob(Lease lease, SessionLimits limits, Outbox outbox) {
        this(lease, limits, outbox, Optional.empty(), () -> true);
    }

    LeasedJob(Lease lease, SessionLimits limits, Outbox outbox, Optional<Path> sharedFolder, BooleanSupplier mayBegin) {
        this.lease = requireNonNull(lease, "lease");
        this.key = new LeaseKey(lease.getJobId(), lease.getLeaseToken());
        this.limits = requireNonNull(limits, "limits");
        this.outbox = requireNonNull(outbox, "outbox");
        this.sharedFolder = requireNonNull(sharedFolder, "sharedFolder");
        this.mayBegin = requireNonNull(mayBegin, "mayBegin");
        this.spans = JobSpans.areTaken(lease) ? JobSpans.of(lease) : null;
    }

    public Lease lease() {
        return lease;
    }

    public LeaseKey key() {
        return key;
    }

    public String jobId() {
        return key.jobId();
    }

    /**
     * The folder that the job shares with others of its group, which may not exist yet; absent for a job outside of
     * groups.
     */
    public Optional<Path> sharedFolder() {
        return sharedFolder;
    }

    public SessionLimits limits() {
        return limits;
    }

    /** Lowers the limits of the job's log and result to these. */
    public void limit(JobLimits own) {
        if (own.outputBytes() > 0 || own.resultBytes() > 0) {
            limits = limits.within(own);
        }
    }

    /** Masks these secrets in all that the job sends from here on. */
    public void maskWith(Masks secrets) {
        output.use(secrets);
    }

    /** Secrets that are masked in what the job sends. */
    public Masks masks() {
        return output.masks();
    }

    /** Longest time of the attempt; zero means no limit. */
    public java.time.Duration timeout() {
        return java.time.Duration.ofSeconds(
                lease.getTimeout().getSeconds(), lease.getTimeout().getNanos());
    }

    /** W3C {@code traceparent} for the code of the job; empty if there is none. */
    public String traceparent() {
        return spans == null ? lease.getTraceparent() : spans.traceparent();
    }

    /** W3C {@code tracestate} for the code of the job; empty if there is none. */
    public String tracestate() {
        return lease.getTracestate();
    }

    /** Whether the spans of the job's code are wanted. */
    public boolean takesSpans() {
        return spans != null;
    }

    /** Adds a span of the job's code, which leaves with the result. Dropped if nobody wants it or there are too many. */
    public void addSpan(Span span) {
        if (spans != null) {
            spans.add(span, output.masks());
        }
    }

    /** True while the lease is held and the job has not ended. */
    public boolean isHeld() {
        return state.get() == State.HELD;
    }

    /**
     * False while it is uncertain whether the session, and with it the lease, is still alive: another worker may run
     * the job then. {@link JobEngine#goOn} reports the end of the doubt.
     */
    public boolean mayBegin() {
        return mayBegin.getAsBoolean();
    }

    public boolean isDropped() {
        return state.get() == State.DROPPED;
    }

    public boolean hasStarted() {
        return startNanos != 0;
    }

    /** Records that user code of this job begins. */
    public void started() {
        startClock();
        tellStarted();
    }

    /**
     * Records that user code of this job begins, without telling the scheduler. {@link #tellStarted} follows when no
     * thread waits.
     */
    public void startClock() {
        startNanos = System.nanoTime() | 1;
        if (spans != null) {
            spans.started();
        }
    }

    /** Tells the scheduler that this job has started, unless it ends soon. */
    public void tellStarted() {
        if (isHeld()) {
            outbox.addStarted(this);
        }
    }

    /**
     * Resets the clock: the attempt was interrupted through no fault of its own, and begins again in another process.
     */
    public void restarted() {
        startNanos = 0;
    }

    /** Time since user code began; zero before. */
    public long ranNanos() {
        return startNanos == 0 ? 0 : System.nanoTime() - startNanos;
    }

    /** Time since the attempt ended; zero before. */
    long sinceEndNanos() {
        return endNanos == 0 ? 0 : System.nanoTime() - endNanos;
    }

    public boolean succeed(ByteString json) {
        ByteString result = output.result(json);
        if (result.size() > limits.resultBytesMax()) {
            return fail(JobErrors.resultTooLarge(result.size(), limits.resultBytesMax()));
        }
        return end(outcome().setResult(result));
    }

    public boolean fail(JobError error) {
        return end(outcome().setError(output.error(error)));
    }

    /** Returns the job to the queue; only for a job that never began. */
    public boolean giveBack(String reason) {
        return end(outcome().setReturned(ReturnedJob.newBuilder().setReason(reason)));
    }

    /** Drops the job because its lease is lost; false if it has ended before. */
    boolean drop() {
        return state.compareAndSet(State.HELD, State.DROPPED);
    }

    /**
     * Sends a piece of log, up to the limit of the attempt. Blocks while too much log waits for the scheduler, so that
     * a job prints no faster than its log can be stored. An end that may begin a secret waits for the next piece.
     */
    public synchronized void log(LogChunk.Stream stream, String text) {
        long logBytesMax = limits.logBytesMax();
        if (logBytes > logBytesMax || text.isEmpty() || !isHeld()) {
            return;
        }
        String masked = output.log(stream, text);
        if (masked.isEmpty()) {
            return;
        }
        logBytes += masked.getBytes(StandardCharsets.UTF_8).length;
        if (logBytes <= logBytesMax) {
            outbox.addLog(this, chunk(stream, masked));
        } else {
            String notice = "Log limit of " + logBytesMax + " bytes reached; the rest is dropped.\n";
            outbox.addLog(this, chunk(LogChunk.Stream.STREAM_SYSTEM, notice));
        }
    }

    Started startedMessage() {
        return Started.newBuilder()
                .setJobId(key.jobId())
                .setLeaseToken(key.token())
                .build();
    }

    private boolean end(JobResult.Builder outcome) {
        if (!state.compareAndSet(State.HELD, State.ENDED)) {
            return false;
        }
        endNanos = System.nanoTime() | 1;
        output.end(this::logEnd);
        if (spans != null && hasStarted()) {
            spans.addTo(outcome);
        }
        outbox.addResult(key, outcome.build());
        return true;
    }

    /** Sends the end of a stream, which is short; does not wait for room, as the thread may hold locks. */
    private void logEnd(LogChunk.Stream stream, String text) {
        if (!text.isEmpty() && logBytes <= limits.logBytesMax()) {
            outbox.addLastLog(chunk(stream, text));
        }
    }

    private JobResult.Builder outcome() {
        JobResult.Builder result = JobResult.newBuilder().setJobId(key.jobId()).setLeaseToken(key.token());
        if (hasStarted()) {
            long nanos = ranNanos();
            result.setRunDuration(
                    Duration.newBuilder().setSeconds(nanos / NANOS_PER_SECOND).setNanos((int)
                            (nanos % NANOS_PER_SECOND)));
        }
        return result;
    }

    private WorkerLog chunk(LogChunk.Stream stream, String text) {
        return WorkerLog.newBuilder()
                .setJobId(key.jobId())
                .setLeaseToken(key.token())
                .setSequence(logSequence.getAndIncrement())
                .setStream(stream)
                .setText(text)
                .build();
    }

    @Override
    public String toString() {
        return "job " + key;
    }
}
