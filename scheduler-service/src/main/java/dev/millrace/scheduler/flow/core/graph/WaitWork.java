package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.queue.core.JobKind;

/** Waits for a time, a signal or a person, without a worker. */
public record WaitWork(WaitFor until) implements Work {
    static WaitWork compile(StepAction.Wait wait, GraphBuilder list) {
        switch (wait.until()) {
            case WaitFor.Delay delay -> list.read(delay.duration());
            case WaitFor.Until moment -> list.read(moment.moment());
            case WaitFor.Events events -> {
                list.read(events.name());
                list.read(events.details());
            }
        }
        return new WaitWork(wait.until());
    }

    @Override
    public JobKind kind() {
        return JobKind.WAIT;
    }

    @Override
    public boolean mayEndAtOnce() {
        return true;
    }
}
