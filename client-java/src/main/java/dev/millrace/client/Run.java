package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run as it stood when the call returned. Immutable. */
public final class Run implements RunEvent {
    private final dev.millrace.proto.run.v1.Run message;
    private final Json json;

    Run(dev.millrace.proto.run.v1.Run message, Json json) {
        this.message = requireNonNull(message, "message");
        this.json = requireNonNull(json, "json");
    }

    /** Its id, a UUID. */
    public String id() {
        return message.getId();
    }

    public String workspace() {
        return message.getWorkspace();
    }

    /** Path of the script or flow, or name of the handler. */
    public String name() {
        return message.getName();
    }

    public RunState state() {
        return Messages.state(message.getState());
    }

    /** Empty in lists. */
    public Optional<JsonNode> input() {
        return json.read(message.getInput());
    }

    /** Empty unless the run has succeeded, and in lists. */
    public Optional<JsonNode> output() {
        return json.read(message.getOutput());
    }

    /** What the code of a running script or handler has told last about how far it is; empty in lists and for flows. */
    public Optional<JsonNode> progress() {
        return json.read(message.getProgress());
    }

    /** Why it failed or was canceled. */
    public Optional<RunError> error() {
        return message.hasError() ? Optional.of(RunError.of(message.getError())) : Optional.empty();
    }

    /** Time of acceptance. */
    public Optional<Instant> createTime() {
        return Messages.time(message.hasCreateTime(), message.getCreateTime());
    }

    /** Time when the first attempt began. */
    public Optional<Instant> startTime() {
        return Messages.time(message.hasStartTime(), message.getStartTime());
    }

    public Optional<Instant> endTime() {
        return Messages.time(message.hasEndTime(), message.getEndTime());
    }

    /** Whether no further job goes to a worker. */
    public boolean isPaused() {
        return message.getPaused();
    }

    /** Why it has not started, as a full sentence; empty once it has. */
    public String waitReason() {
        return message.getWaitReason();
    }

    /** Whether the output comes from the cache. */
    public boolean isFromCache() {
        return message.getFromCache();
    }

    /** Who started it; empty in lists and for callers without a token. */
    public String startedBy() {
        return message.getStartedBy();
    }

    /**
     * Returns the output of a run that has succeeded.
     *
     * @throws RunFailedException if the run has failed, or was canceled ({@link RunCanceledException})
     * @throws IllegalStateException if the run has not ended
     */
    public JsonNode result() {
        return Json.orNull(json.read(succeeded()));
    }

    /**
     * Returns the output of a run that has succeeded, as a type; null for the JSON null.
     *
     * @throws RunFailedException if the run has failed, or was canceled ({@link RunCanceledException})
     * @throws ConversionException if the output does not fit
     * @throws IllegalStateException if the run has not ended
     */
    public <T> @Nullable T result(Class<T> type) {
        return json.read(succeeded(), type);
    }

    private ByteString succeeded() {
        return switch (state()) {
            case SUCCEEDED -> message.getOutput();
            case FAILED -> throw new RunFailedException(this);
            case CANCELED -> throw new RunCanceledException(this);
            case QUEUED, RUNNING ->
                throw new IllegalStateException(
                        "The run " + id() + " is " + state().word() + " and has no result yet: call wait first.");
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Run it && it.message.equals(message);
    }

    @Override
    public int hashCode() {
        return message.hashCode();
    }

    @Override
    public String toString() {
        return "Run[id=" + id() + ", name=" + name() + ", state=" + state() + "]";
    }
}
