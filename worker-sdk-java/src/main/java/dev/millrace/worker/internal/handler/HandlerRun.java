package dev.millrace.worker.internal.handler;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.millrace.worker.JobException;
import dev.millrace.worker.JobHandler;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt in a handler, from the queue to its end. It can be interrupted only while it runs. */
final class HandlerRun implements Runnable {
    private final LeasedJob job;
    private final JobHandler handler;
    private final ObjectMapper json;
    private final JobApiClient steps;
    private final Consumer<HandlerRun> onDoubt;
    private final Runnable onEnd;
    private @Nullable Thread thread;

    /**
     * @param onDoubt called instead of the handler if the job may not begin yet
     * @param onEnd called at the end, if the job began
     */
    HandlerRun(
            LeasedJob job,
            JobHandler handler,
            ObjectMapper json,
            JobApiClient steps,
            Consumer<HandlerRun> onDoubt,
            Runnable onEnd) {
        this.job = job;
        this.handler = handler;
        this.json = json;
        this.steps = steps;
        this.onDoubt = onDoubt;
        this.onEnd = onEnd;
    }

    @Override
    public void run() {
        if (!mayBegin()) {
            onDoubt.accept(this);
            return;
        }
        try {
            if (job.isHeld()) {
                runHeld();
            }
        } finally {
            onEnd.run();
        }
    }

    /** False if the job must wait until its lease is certain. */
    boolean mayBegin() {
        return !job.isHeld() || job.mayBegin();
    }

    private void runHeld() {
        HandlerThread current = (HandlerThread) Thread.currentThread();
        begin(current);
        try {
            FilledInput input = HandlerSecrets.input(job, steps);
            job.started();
            Object result = handler.handle(new HandlerContext(job, input, json, steps));
            job.succeed(toJson(result));
        } catch (Throwable thrown) {
            // Whatever user code throws, even an Error, ends this job and not the worker.
            job.fail(HandlerErrors.of(thrown));
        } finally {
            end(current);
        }
    }

    private synchronized void begin(HandlerThread current) {
        thread = current;
        current.begin(this, job.timeout());
    }

    private synchronized void end(HandlerThread current) {
        thread = null;
        current.end();
    }

    /** Returns a run to the queue that has not begun. */
    void giveBack(String reason) {
        job.giveBack(reason);
        onEnd.run();
    }

    /** Fails the attempt because its time is over, and interrupts the handler. */
    void timeOut() {
        job.fail(JobErrors.timedOut(job.timeout()));
        interrupt();
    }

    synchronized void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    private ByteString toJson(@Nullable Object result) throws IOException {
        try {
            if (result instanceof byte[] bytes) {
                checkJson(bytes);
                return ByteString.copyFrom(bytes);
            }
            return UnsafeByteOperations.unsafeWrap(HandlerJson.write(json, result));
        } catch (IOException e) {
            throw new JobException("ResultError", "The result cannot be written as JSON: " + e.getMessage(), false);
        }
    }

    private void checkJson(byte[] bytes) throws IOException {
        try (JsonParser parser = json.createParser(bytes)) {
            if (parser.nextToken() == null) {
                throw new IOException("it is empty");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new IOException("something follows after the value");
            }
        }
    }
}
