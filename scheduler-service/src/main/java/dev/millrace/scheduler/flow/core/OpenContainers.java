package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The containers in progress while a decision is worked out, so that each gets its end when the run ends early. */
final class OpenContainers {
    private final FlowState state;
    private final Map<StepKey, StepKind> opened = new LinkedHashMap<>();
    private final Set<StepKey> closed = new HashSet<>();

    OpenContainers(FlowState state) {
        this.state = state;
    }

    void open(StepKey key, StepKind kind) {
        opened.put(key, kind);
    }

    void close(StepKey key) {
        opened.remove(key);
        closed.add(key);
    }

    /** Ends all of them alike. */
    List<StepRecord> closeAll(Outcome outcome) {
        return close(key -> outcome);
    }

    /** Ends those around the failed step with its error, and the others as cancelled. */
    List<StepRecord> closeAfter(Failure failure) {
        JobError reason = FlowErrors.ended(failure);
        return close(key ->
                key.contains(failure.key()) ? new Outcome.Failed(failure.runError()) : new Outcome.Canceled(reason));
    }

    private List<StepRecord> close(Function<StepKey, Outcome> outcome) {
        Map<StepKey, StepKind> left = new LinkedHashMap<>(opened);
        for (StepKey key : state.open()) {
            if (!closed.contains(key)) {
                left.put(key, state.model().kind(key));
            }
        }
        List<StepRecord> ends = new ArrayList<>();
        left.forEach((key, kind) -> ends.add(new StepRecord(key, kind, Json.NULL, outcome.apply(key))));
        ends.sort(Comparator.comparing(end -> end.key().text()));
        return ends;
    }
}
