package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.Map;

/** Turns the tasks of a definition into jobs: scripts by hash, options with their defaults. */
record Tasks(Map<String, JobTarget.Script> scripts, Defaults defaults) {
    Tasks {
        scripts = Map.copyOf(scripts);
    }

    Node.Task resolve(StepAction.Task task) {
        JobTarget target = target(task.target());
        StepAction.TaskOptions options = task.options();
        JobOptions resolved = new JobOptions(
                options.tag().map(Tasks::constant).orElseGet(target::defaultTag),
                options.priority(),
                options.timeout().orElse(defaults.timeout()),
                options.retry());
        return new Node.Task(target, name(task.target()), task.input(), resolved);
    }

    private static String constant(Template tag) {
        if (tag instanceof Template.Constant constant) {
            return constant.value().string();
        }
        throw new IllegalArgumentException("The engine does not know computed tags.");
    }

    private JobTarget target(StepAction.TaskTarget target) {
        return switch (target) {
            case StepAction.TaskTarget.ScriptPath script -> {
                JobTarget.Script version = scripts.get(script.path());
                if (version == null) {
                    throw new IllegalArgumentException("No version is given for the script \"" + script.path() + "\".");
                }
                yield version;
            }
            case StepAction.TaskTarget.HandlerName handler -> new JobTarget.Handler(handler.name());
            case StepAction.TaskTarget.Computed _ ->
                throw new IllegalArgumentException("The engine does not know computed targets.");
        };
    }

    private static String name(StepAction.TaskTarget target) {
        return switch (target) {
            case StepAction.TaskTarget.ScriptPath script -> script.path();
            case StepAction.TaskTarget.HandlerName handler -> handler.name();
            case StepAction.TaskTarget.Computed _ -> "";
        };
    }
}
