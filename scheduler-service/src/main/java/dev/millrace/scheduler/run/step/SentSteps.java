package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Tracks which states of a run's steps a follower has received, and finds what is new to it. Not thread-safe. */
public final class SentSteps {
    private record Mark(StepState state, int attempt, Optional<Instant> started, Optional<Json> progress) {}

    private final Map<JobId, Mark> live = new HashMap<>();
    private final Map<JobId, Instant> ended = new HashMap<>();
    private final Map<String, Step> openings = new HashMap<>();

    /** The step of a live job; empty if the follower has received this state and progress. */
    public Optional<Step> changeOfLive(Step step, Optional<Json> progress) {
        if (ended.containsKey(step.id())) {
            return Optional.empty();
        }
        Mark mark = new Mark(step.state(), step.attempt(), step.times().started(), progress);
        return mark.equals(live.put(step.id(), mark)) ? Optional.empty() : Optional.of(step);
    }

    /**
     * The news in a history row, which is the opening of a container or the end of a step; empty if the follower has
     * received it.
     */
    public Optional<Step> changeOfHistory(Step row) {
        if (StepRows.isOpening(row)) {
            Step opened = StepRows.opened(row);
            return openings.putIfAbsent(opened.key(), opened) == null ? Optional.of(opened) : Optional.empty();
        }
        live.remove(row.id());
        if (ended.put(row.id(), row.times().ended().orElseThrow()) != null) {
            return Optional.empty();
        }
        Step opening = row.isContainer() ? openings.get(row.key()) : null;
        return Optional.of(opening == null ? row : row.continuing(opening));
    }

    /** Forgets ends that will not be read again. */
    public void forgetEndsBefore(Instant time) {
        ended.values().removeIf(end -> end.isBefore(time));
    }
}
