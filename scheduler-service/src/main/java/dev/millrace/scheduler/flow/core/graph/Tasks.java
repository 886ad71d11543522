package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.util.Map;

/**
 * Compiles the tasks of a definition: resolves scripts to versions and fills in defaults.
 *
 * @param priority of tasks that state none
 */
record Tasks(Map<String, JobTarget.Script> scripts, Defaults defaults, int priority) {
    Tasks {
        scripts = Map.copyOf(scripts);
    }

    /**
     * Compiles a task.
     *
     * @param policy of the step; if it makes retries conditional, the queue does not retry the job
     */
    TaskWork resolve(StepAction.Task task, StepPolicy policy) {
        TaskOptions options = task.options();
        return new TaskWork(
                target(task.target()),
                task.input(),
                options.tag(),
                options.priority() == 0 ? priority : options.priority(),
                options.timeout().orElse(defaults.timeout()),
                policy.retryIf().isPresent() ? RetryPolicy.NONE : options.retry(),
                options.cache(),
                options.deleteAfterUse(),
                options.limit(),
                options.overrides());
    }

    private TaskWork.Target target(TaskTarget target) {
        return switch (target) {
            case TaskTarget.ScriptPath script -> {
                JobTarget.Script version = scripts.get(script.path());
                if (version == null) {
                    throw new IllegalArgumentException("No version is given for the script \"" + script.path() + "\".");
                }
                yield new TaskWork.Fixed(version, script.path());
            }
            case TaskTarget.HandlerName handler ->
                new TaskWork.Fixed(new JobTarget.Handler(handler.name()), handler.name());
            case TaskTarget.Computed computed -> new TaskWork.Computed(computed.name(), scripts);
        };
    }
}
