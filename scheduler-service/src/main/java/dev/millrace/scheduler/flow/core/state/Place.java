package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.Node;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import org.jspecify.annotations.Nullable;

/** A step in progress: its scope and its position in that scope. */
public record Place(ScopeState scope, int step) {
    public Node node() {
        return scope.graph().node(step);
    }

    public StepKey key() {
        return scope.key(step);
    }

    public @Nullable StepState state() {
        return scope.state(step);
    }
}
