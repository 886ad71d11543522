package dev.millrace.worker.internal.handler;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.worker.Blob;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.JobLock;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.jobapi.LockWish;
import dev.millrace.worker.internal.jobapi.StepIdentity;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A handler's view of one lease. */
final class HandlerContext implements JobContext {
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final LeasedJob job;
    private final ByteString input;
    private final Set<String> boundPointers;
    private final ObjectMapper json;
    private final JobApiClient steps;
    private final Instant startTime = Instant.now();

    HandlerContext(LeasedJob job, FilledInput input, ObjectMapper json, JobApiClient steps) {
        this.job = job;
        this.input = input.json();
        this.boundPointers = input.boundPointers();
        this.json = json;
        this.steps = steps;
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
    public String step() {
        return job.lease().getStep();
    }

    @Override
    public String workspace() {
        return job.lease().getWorkspace();
    }

    @Override
    public String folder() {
        return job.lease().getFolder();
    }

    @Override
    public int attempt() {
        return job.lease().getAttempt();
    }

    @Override
    public String traceparent() {
        return job.traceparent();
    }

    @Override
    public String tracestate() {
        return job.tracestate();
    }

    @Override
    public JsonNode input() {
        return inputAs(JsonNode.class);
    }

    @Override
    public byte[] inputBytes() {
        return input.isEmpty() ? EMPTY_OBJECT.clone() : input.toByteArray();
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
    public Set<String> boundPointers() {
        return boundPointers;
    }

    @Override
    public Optional<Instant> deadline() {
        return job.timeout().isZero() ? Optional.empty() : Optional.of(startTime.plus(job.timeout()));
    }

    @Override
    public boolean isCanceled() {
        return !job.isHeld();
    }

    @Override
    public void log(String line) {
        job.log(LogChunk.Stream.STREAM_STDOUT, line + "\n");
    }

    @Override
    public void trace(String message) {
        job.log(LogChunk.Stream.STREAM_TRACE, message + "\n");
    }

    @Override
    public String idempotencyKey() {
        return StepIdentity.of(job.lease()).idempotencyKey();
    }

    @Override
    public Optional<Path> sharedFolder() {
        return job.sharedFolder().map(HandlerContext::created);
    }

    private static Path created(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new JobException("SharedFolderError", "The folder " + folder + " cannot be created: " + e, true);
        }
    }

    @Override
    public String stepToken() {
        return StepIdentity.of(job.lease()).token();
    }

    @Override
    public void setData(String key, @Nullable Object value) throws InterruptedException {
        String text;
        try {
            text = new String(HandlerJson.write(json, value), UTF_8);
        } catch (IOException e) {
            throw new JobException("ResultError", "The value of " + key + " cannot be written as JSON: " + e, false);
        }
        JsonNode unused = HandlerAnswers.await(steps.setData(job, key, text), json);
    }

    @Override
    public Optional<JsonNode> getData(String key) throws InterruptedException {
        JsonNode answer = HandlerAnswers.await(steps.getData(job, key), json);
        return answer.isNull() ? Optional.empty() : Optional.of(answer.path("value"));
    }

    @Override
    public Blob saveBlob(InputStream bytes, String mediaType) throws IOException, InterruptedException {
        return new HandlerBlobs(job, steps, json).save(bytes, mediaType);
    }

    @Override
    public Blob saveBlob(Path file, String mediaType) throws IOException, InterruptedException {
        return new HandlerBlobs(job, steps, json).save(file, mediaType);
    }

    @Override
    public InputStream openBlob(Blob blob) throws IOException, InterruptedException {
        return new HandlerBlobs(job, steps, json).open(blob.id());
    }

    @Override
    public Optional<JobLock> lock(String name, Duration ttl, Duration patience) throws InterruptedException {
        LockWish wish = new LockWish(name, ttl, patience, UUID.randomUUID());
        JsonNode answer = HandlerAnswers.await(steps.acquire(job, wish), json);
        return answer.isNull()
                ? Optional.empty()
                : Optional.of(
                        new HandlerLock(job, steps, wish, answer.path("fence").asLong()));
    }
}
