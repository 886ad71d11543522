package dev.millrace.scheduler.flow.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a step does. */
public sealed interface StepAction {
    /** Runs a job on a worker. */
    record Task(TaskTarget target, Template input, TaskOptions options) implements StepAction {
        public Task {
            requireNonNull(target, "target");
            requireNonNull(input, "input");
            requireNonNull(options, "options");
        }
    }

    /**
     * Runs its body once for each item; results in the array of the body's results.
     *
     * @param items the array to go through
     * @param parallelism most iterations in progress at a time; 1 is one after the other
     * @param body steps of one iteration
     * @param single whether the body is one step that stands for the iteration itself: its key is {@code count[3]}
     */
    record ForEach(Template items, int parallelism, StepList body, boolean single) implements StepAction {
        public ForEach {
            requireNonNull(items, "items");
            requireNonNull(body, "body");
            if (parallelism < 1 || parallelism > FlowLimits.PARALLELISM_MAX) {
                throw new IllegalArgumentException(
                        "parallelism: " + parallelism + " (expected: 1 to " + FlowLimits.PARALLELISM_MAX + ")");
            }
            if (single && body.steps().size() != 1) {
                throw new IllegalArgumentException(
                        "a loop of a single step has " + body.steps().size() + " steps");
            }
        }
    }

    /**
     * Runs the first branch that matches; results in the branch's result, and null where none matches.
     *
     * @param value what {@link Test.Equals} compares with; null where absent
     * @param cases in the order they are tried
     * @param otherwise taken where no case matches
     */
    record Switch(Optional<Template> value, List<Case> cases, Optional<StepList> otherwise) implements StepAction {
        public Switch {
            requireNonNull(value, "value");
            cases = List.copyOf(cases);
            requireNonNull(otherwise, "otherwise");
        }
    }

    /** One branch of a switch. */
    record Case(Test test, StepList steps) {
        public Case {
            requireNonNull(test, "test");
            requireNonNull(steps, "steps");
        }
    }

    /** Decides whether a branch is taken. */
    sealed interface Test {
        /** Taken where the value of the switch is the same as this one. */
        record Equals(Template expected) implements Test {}

        /** Taken where this is true as JavaScript understands it. */
        record When(Template condition) implements Test {}
    }

    /** What a task runs. */
    sealed interface TaskTarget {
        /** A script by its path in the definition. */
        record ScriptPath(String path) implements TaskTarget {}

        /** A handler inside a worker. */
        record HandlerName(String name) implements TaskTarget {}
    }

    /** How a task is queued and run; what is absent takes its default when the flow is resolved. */
    record TaskOptions(Optional<String> tag, int priority, Optional<Duration> timeout, RetryPolicy retry) {
        /** Nothing asked for. */
        public static final TaskOptions DEFAULT =
                new TaskOptions(Optional.empty(), 0, Optional.empty(), RetryPolicy.NONE);

        public TaskOptions {
            requireNonNull(tag, "tag");
            requireNonNull(timeout, "timeout");
            requireNonNull(retry, "retry");
        }
    }
}
