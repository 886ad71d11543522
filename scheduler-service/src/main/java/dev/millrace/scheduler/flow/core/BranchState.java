package dev.millrace.scheduler.flow.core;

/** A switch whose branch is in progress. */
record BranchState(ScopeState scope) implements StepState.Container {
    @Override
    public long weight() {
        return scope.weight();
    }
}
