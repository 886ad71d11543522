package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.operation.v1.BulkOperationRun;
import java.util.Optional;

/** What an operation on many runs did to one of them. Immutable. */
public final class BulkRun {
    private final BulkOperationRun message;

    BulkRun(BulkOperationRun message) {
        this.message = requireNonNull(message, "message");
    }

    public String runId() {
        return message.getRunId();
    }

    /** {@code waiting}, {@code done}, {@code failed} or {@code left_out}. */
    public String state() {
        return Messages.word(message.getState());
    }

    /** Id of the run that a rerun has started. */
    public Optional<String> newRunId() {
        return Optional.of(message.getNewRunId()).filter(id -> !id.isEmpty());
    }

    /** Why the run refused the operation. */
    public Optional<String> error() {
        return Optional.of(message.getErrorMessage()).filter(text -> !text.isEmpty());
    }

    @Override
    public String toString() {
        return "BulkRun[runId=" + runId() + ", state=" + state() + "]";
    }
}
