package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A step that waits now. Immutable. */
public final class Wait {
    private final dev.millrace.proto.signal.v1.Wait message;
    private final Json json;

    Wait(dev.millrace.proto.signal.v1.Wait message, Json json) {
        this.message = requireNonNull(message, "message");
        this.json = requireNonNull(json, "json");
    }

    /** Key of the step. */
    public String step() {
        return message.getStep();
    }

    /** {@code timer}, {@code signal}, {@code approval} or {@code human}. */
    public String kind() {
        return Messages.word(message.getKind());
    }

    /** Name of the signal. */
    public String name() {
        return message.getName();
    }

    /** Number of events that must arrive. */
    public int required() {
        return message.getRequired();
    }

    /** Number of events that have arrived. */
    public int received() {
        return message.getReceived();
    }

    /** People who have approved so far. */
    public List<String> approvers() {
        return List.copyOf(message.getApproversList());
    }

    /** Title, description, form and assignees. */
    public Optional<JsonNode> details() {
        return json.read(message.getDetails());
    }

    /** Time when the wait began. */
    public Optional<Instant> createTime() {
        return Messages.time(message.hasCreateTime(), message.getCreateTime());
    }

    /** Time when it ends by itself. */
    public Optional<Instant> endTime() {
        return Messages.time(message.hasEndTime(), message.getEndTime());
    }

    @Override
    public String toString() {
        return "Wait[step=" + step() + ", kind=" + kind() + "]";
    }
}
