package dev.millrace.scheduler.flow.core;

import org.jspecify.annotations.Nullable;

/** A step in progress: a scope and a position in it. */
record Place(ScopeState scope, int step) {
    Node node() {
        return scope.graph().node(step);
    }

    StepKey key() {
        return scope.key(step);
    }

    @Nullable StepState state() {
        return scope.state(step);
    }
}
