package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/** An operation on many runs, which the schedulers work off in the background. Immutable. */
public final class BulkOperation {
    private final dev.millrace.proto.operation.v1.BulkOperation message;

    BulkOperation(dev.millrace.proto.operation.v1.BulkOperation message) {
        this.message = requireNonNull(message, "message");
    }

    public String id() {
        return message.getId();
    }

    /** Number of its runs. */
    public int total() {
        return message.getTotal();
    }

    /** Number of runs to which it was applied. */
    public int done() {
        return message.getDone();
    }

    /** Number of runs that refused it. */
    public int failed() {
        return message.getFailed();
    }

    /** Number of runs that were left out because it was canceled. */
    public int leftOut() {
        return message.getLeftOut();
    }

    /** Time when the last of its runs was done; empty before. */
    public Optional<Instant> endTime() {
        return Messages.time(message.hasEndTime(), message.getEndTime());
    }

    @Override
    public String toString() {
        return "BulkOperation[id=" + id() + ", done=" + done() + ", failed=" + failed() + ", total=" + total() + "]";
    }
}
