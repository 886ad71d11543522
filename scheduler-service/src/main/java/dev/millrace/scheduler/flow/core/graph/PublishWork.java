package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;

/** Publishes a message to the handlers of an event. */
public record PublishWork(Template event, Template message) implements Work {
    static PublishWork compile(StepAction.Publish publish, GraphBuilder list) {
        list.read(publish.event());
        list.read(publish.message());
        return new PublishWork(publish.event(), publish.message());
    }

    @Override
    public JobKind kind() {
        return JobKind.PUBLISH;
    }
}
