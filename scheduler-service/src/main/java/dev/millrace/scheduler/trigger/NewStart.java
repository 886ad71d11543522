package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Optional;

/**
 * An occurrence to note.
 *
 * @param id the id that its run gets
 * @param occurrence 1 to 300 characters that name what happened; one trigger starts one run for it
 * @param state {@link StartState#CLAIMED} to start a run, else what has become of the occurrence
 * @param cancels a run that is canceled before the new one starts
 * @param input replaces the input of the trigger's template
 * @param reason why no run starts; empty if one does
 */
public record NewStart(
        TriggerId trigger,
        Workspace workspace,
        RunId id,
        String occurrence,
        Instant occurredAt,
        StartState state,
        Optional<RunId> cancels,
        Optional<Json> input,
        String reason) {
    /** Maximum length of the name of an occurrence, in characters. */
    public static final int OCCURRENCE_LENGTH_MAX = 300;

    public NewStart {
        requireNonNull(trigger, "trigger");
        requireNonNull(workspace, "workspace");
        requireNonNull(id, "id");
        requireNonNull(occurredAt, "occurredAt");
        requireNonNull(state, "state");
        requireNonNull(cancels, "cancels");
        requireNonNull(input, "input");
        requireNonNull(reason, "reason");
        if (occurrence.isEmpty() || occurrence.length() > OCCURRENCE_LENGTH_MAX) {
            throw new IllegalArgumentException("occurrence: " + occurrence.length() + " characters (expected: 1 to "
                    + OCCURRENCE_LENGTH_MAX + ")");
        }
    }

    /** An occurrence that starts a run. */
    public static NewStart of(Trigger trigger, RunId id, String occurrence, Instant occurredAt, Optional<Json> input) {
        return new NewStart(
                trigger.id(),
                trigger.key().workspace(),
                id,
                occurrence,
                occurredAt,
                StartState.CLAIMED,
                Optional.empty(),
                input,
                "");
    }

    /** An occurrence that starts nothing, for a reason. */
    public static NewStart none(
            Trigger trigger, RunId id, String occurrence, Instant occurredAt, StartState state, String reason) {
        return new NewStart(
                trigger.id(),
                trigger.key().workspace(),
                id,
                occurrence,
                occurredAt,
                state,
                Optional.empty(),
                Optional.empty(),
                reason);
    }
}
