package dev.millrace.worker.internal.handler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** The view of one lease that a handler gets. */
final class HandlerContext implements JobContext {
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final LeasedJob job;
    private final ObjectMapper json;
    private final Instant startTime = Instant.now();

    HandlerContext(LeasedJob job, ObjectMapper json) {
        this.job = job;
        this.json = json;
    }

    @Override
    public String jobId() {
        return job.jobId();
    }

    @Override
    public String runId() {
        return job.lease().getRunId();
    }

    @Override
    public String stepKey() {
        return job.lease().getStepKey();
    }

    @Override
    public String workspace() {
        return job.lease().getWorkspace();
    }

    @Override
    public int attempt() {
        return job.lease().getAttempt();
    }

    @Override
    public String traceparent() {
        return job.lease().getTraceparent();
    }

    @Override
    public JsonNode input() {
        return inputAs(JsonNode.class);
    }

    @Override
    public byte[] inputBytes() {
        return job.lease().getInput().isEmpty()
                ? EMPTY_OBJECT.clone()
                : job.lease().getInput().toByteArray();
    }

    @Override
    public <T> T inputAs(Class<T> type) {
        try {
            return json.readValue(inputBytes(), type);
        } catch (IOException e) {
            throw new JobException(
                    "InputError", "The input does not fit " + type.getSimpleName() + ": " + e.getMessage(), false);
        }
    }

    @Override
    public Optional<Instant> deadline() {
        return job.timeout().isZero() ? Optional.empty() : Optional.of(startTime.plus(job.timeout()));
    }

    @Override
    public boolean isCancelled() {
        return !job.isHeld();
    }

    @Override
    public void log(String line) {
        job.log(LogChunk.Stream.STREAM_STDOUT, line + "\n");
    }
}
