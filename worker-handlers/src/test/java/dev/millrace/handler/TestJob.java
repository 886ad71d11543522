package dev.millrace.handler;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.worker.Blob;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobLock;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job with an input, to call a handler without a worker. */
public record TestJob(String text, String traceparent, String tracestate, Set<String> boundPointers)
        implements JobContext {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A job with this JSON as its input; single quotes stand for double ones. */
    public static TestJob of(String input, Object... arguments) {
        return new TestJob(input.replace('\'', '"').formatted(arguments), "", "", Set.of());
    }

    /** The same job, whose author has put secrets or resources at these places of the input. */
    public TestJob withBound(String... pointers) {
        return new TestJob(text, traceparent, tracestate, Set.of(pointers));
    }

    @Override
    public String jobId() {
        return "job-1";
    }

    @Override
    public String runId() {
        return "run-1";
    }

    @Override
    public String step() {
        return "call";
    }

    @Override
    public String workspace() {
        return "default";
    }

    @Override
    public String folder() {
        return "shop";
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public JsonNode input() {
        return inputAs(JsonNode.class);
    }

    @Override
    public byte[] inputBytes() {
        return text.getBytes(UTF_8);
    }

    @Override
    public <T> T inputAs(Class<T> type) {
        try {
            return JSON.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public Optional<Instant> deadline() {
        return Optional.empty();
    }

    @Override
    public boolean isCanceled() {
        return false;
    }

    @Override
    public void log(String line) {}

    @Override
    public void trace(String message) {}

    @Override
    public String idempotencyKey() {
        return "00000000-0000-3000-8000-000000000000";
    }

    @Override
    public Optional<Path> sharedFolder() {
        return Optional.empty();
    }

    @Override
    public String stepToken() {
        return runId() + "/" + step();
    }

    @Override
    public void setData(String key, @Nullable Object value) {}

    @Override
    public Optional<JsonNode> getData(String key) {
        return Optional.empty();
    }

    @Override
    public Blob saveBlob(InputStream bytes, String mediaType) {
        throw new UnsupportedOperationException("no handler of this module saves blobs");
    }

    @Override
    public Blob saveBlob(Path file, String mediaType) {
        throw new UnsupportedOperationException("no handler of this module saves blobs");
    }

    @Override
    public InputStream openBlob(Blob blob) {
        throw new UnsupportedOperationException("no handler of this module opens blobs");
    }

    @Override
    public Optional<JobLock> lock(String name, Duration ttl, Duration patience) {
        return Optional.empty();
    }
}
