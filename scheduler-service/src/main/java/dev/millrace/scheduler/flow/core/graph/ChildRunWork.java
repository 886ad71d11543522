package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;
import java.util.Optional;

/** Starts a child run and waits for its end; {@code runIdAs} as in {@link StepAction.ChildRun}. */
public record ChildRunWork(Template flow, Template input, Optional<String> runIdAs) implements Work {
    static ChildRunWork compile(StepAction.ChildRun child, GraphBuilder list) {
        list.read(child.flow());
        list.read(child.input());
        return new ChildRunWork(child.flow(), child.input(), child.runIdAs());
    }

    @Override
    public JobKind kind() {
        return JobKind.CHILD_RUN;
    }

    @Override
    public boolean followsItsPolicy() {
        return true;
    }

    @Override
    public boolean mayEndAtOnce() {
        return true;
    }
}
