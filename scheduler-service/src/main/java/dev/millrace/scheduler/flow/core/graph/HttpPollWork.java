package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.queue.core.JobKind;

/**
 * A request that is sent until its response meets a condition. Each request is a job of its own. Between two requests,
 * the step begins again, as if the machine retried a task. The rows of the step therefore tell the number of requests.
 */
public record HttpPollWork(TaskWork request, Template until, Template every, int requestsMax) implements RepeatedWork {
    static HttpPollWork compile(StepAction.HttpPoll poll, GraphBuilder list) {
        list.read(poll.until());
        list.read(poll.every());
        return new HttpPollWork(
                TaskWork.compile(poll.request(), StepPolicy.NONE, list),
                poll.until(),
                poll.every(),
                poll.requestsMax());
    }

    @Override
    public JobKind kind() {
        return request.kind();
    }
}
