package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.BranchState;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.flow.core.state.StepState;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ends the containers inside something that ends early, so that each container that began also has an end in the
 * history.
 */
final class ContainerTermination {
    private final Function<StepKey, Outcome> outcomes;
    private final List<Place> places = new ArrayList<>();

    private ContainerTermination(Function<StepKey, Outcome> outcomes) {
        this.outcomes = outcomes;
    }

    /** Ends all containers with the same outcome. */
    static ContainerTermination alike(Outcome outcome) {
        return new ContainerTermination(key -> outcome);
    }

    /** Fails the containers around the failed step with its error, and cancels the others. */
    static ContainerTermination after(Failure failure) {
        Outcome failed = new Outcome.Failed(failure.runError());
        Outcome canceled = new Outcome.Canceled(FlowErrors.ended(failure));
        return new ContainerTermination(key -> key.contains(failure.key()) ? failed : canceled);
    }

    ContainerTermination inside(@Nullable ScopeState scope) {
        if (scope != null) {
            for (int step : scope.openContainers()) {
                Place place = new Place(scope, step);
                inside(place);
                places.add(place);
            }
        }
        return this;
    }

    ContainerTermination inside(Place container) {
        switch (container.state()) {
            case LoopState loop -> loop.active().forEach(this::inside);
            case BranchState branch -> inside(branch.scope());
            case StepState.Ended _, StepState.Live _ -> {}
            case null -> {}
        }
        return this;
    }

    /** Returns the ends of the containers, in the order of their keys. */
    List<StepRecord> records() {
        return places.stream()
                .map(place ->
                        new StepRecord(place.key(), place.node().work().kind(), Json.NULL, outcomes.apply(place.key())))
                .sorted(Comparator.comparing(end -> end.key().text()))
                .toList();
    }

    /** Makes results available to readers outside the containers. */
    ContainerTermination leave(FlowState state) {
        places.forEach(place -> state.close(place, outcomes.apply(place.key())));
        return this;
    }

    /** Also ends the containers of the outermost list in the state. */
    void endOutermost(FlowState state) {
        places.stream()
                .filter(place -> place.scope().parent() == null)
                .forEach(place -> state.endDecided(place, outcomes.apply(place.key())));
    }
}
