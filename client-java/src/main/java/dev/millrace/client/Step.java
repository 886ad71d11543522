package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A step of a run as it stood when the call returned. Immutable. */
public final class Step implements RunEvent {
    private final dev.millrace.proto.run.v1.Step message;
    private final Json json;

    Step(dev.millrace.proto.run.v1.Step message, Json json) {
        this.message = requireNonNull(message, "message");
        this.json = requireNonNull(json, "json");
    }

    /** Key within the run, for example {@code count[3].tokenize}; empty for the root. */
    public String key() {
        return message.getKey();
    }

    public String jobId() {
        return message.getJobId();
    }

    /** Kind of the step, for example {@code script} or {@code for_each}. */
    public String kind() {
        return Messages.word(message.getKind());
    }

    public StepState state() {
        return Messages.state(message.getState());
    }

    /** Number of the present or last attempt, from 1. */
    public int attempt() {
        return message.getAttempt();
    }

    /** Input, if payloads were asked for. */
    public Optional<JsonNode> input() {
        return json.read(message.getInput());
    }

    /** Result, if payloads were asked for. */
    public Optional<JsonNode> result() {
        return json.read(message.getResult());
    }

    /** Why it failed. */
    public Optional<RunError> error() {
        return message.hasError() ? Optional.of(RunError.of(message.getError())) : Optional.empty();
    }

    /** Time when it was enqueued. */
    public Optional<Instant> createTime() {
        return Messages.time(message.hasCreateTime(), message.getCreateTime());
    }

    /** Time when the last attempt began. */
    public Optional<Instant> startTime() {
        return Messages.time(message.hasStartTime(), message.getStartTime());
    }

    public Optional<Instant> endTime() {
        return Messages.time(message.hasEndTime(), message.getEndTime());
    }

    /** Name of the worker that ran it. */
    public String worker() {
        return message.getWorker();
    }

    /** Whether the result comes from the cache. */
    public boolean isFromCache() {
        return message.getFromCache();
    }

    /** What its code has told last about how far it is; empty unless it runs and has told something. */
    public Optional<JsonNode> progress() {
        return json.read(message.getProgress());
    }

    /** Run whose end it waits for; empty for other kinds. */
    public String childRunId() {
        return message.getChildRunId();
    }

    /** Iterations of the loop by their states, if its steps were left out; empty for other steps. */
    public Optional<IterationCounts> iterations() {
        return message.hasIterations() ? Optional.of(IterationCounts.of(message.getIterations())) : Optional.empty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Step it && it.message.equals(message);
    }

    @Override
    public int hashCode() {
        return message.hashCode();
    }

    @Override
    public String toString() {
        return "Step[key=" + key() + ", kind=" + kind() + ", state=" + state() + "]";
    }
}
