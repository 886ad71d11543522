package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A step of a resolved flow.
 *
 * @param id its id
 * @param work what it does
 * @param policy what happens around that
 * @param needs how many steps must end before it begins
 * @param successors steps of its graph that need it
 * @param uses places of its graph whose results it, or anything inside it, reads
 * @param readers how many nodes of its graph, the output included, read its own result
 */
public record Node(
        String id, Work work, StepPolicy policy, int needs, List<Integer> successors, List<Integer> uses, int readers) {
    /** Whether what it reads is no longer needed once it has begun. */
    public boolean readsOnlyAtItsBegin() {
        return !(work instanceof Container)
                && policy.stops().isEmpty()
                && policy.retryIf().isEmpty()
                && policy.retry().retriesMax() == 0;
    }

    /** Whether its end may end something around it early. */
    boolean mayStop() {
        return !policy.stops().isEmpty()
                || (work instanceof Parallel parallel && parallel.stopped().isPresent());
    }

    /** Whether a failure inside of it, or its own, stays with it. */
    public boolean isTolerant() {
        return policy.onFailure() != OnFailure.FAIL || policy.retry().retriesMax() > 0 || HookedStep.isOne(this);
    }

    /** Whether its policy limits its time and has it begin again; for other work, the queue does that. */
    public boolean keepsItsTime() {
        return work instanceof Container || work instanceof ChildRun;
    }

    /** The branches whose results can be read from outside. */
    public List<Graph> branches() {
        return switch (work) {
            case Switch choice -> choice.branches();
            case Parallel parallel ->
                parallel.branches().stream().map(NamedBranch::graph).toList();
            case ForEach _,
                    While _,
                    SubFlow _,
                    Task _,
                    Wait _,
                    RunStart _,
                    ChildRun _,
                    Compute _,
                    SetVariables _,
                    Terminate _ -> List.of();
        };
    }

    /** The lists inside; none where it is no container. */
    Stream<Graph> lists() {
        return switch (work) {
            case ForEach loop -> Stream.of(loop.body());
            case While loop -> Stream.of(loop.body());
            case SubFlow flow -> Stream.of(flow.graph());
            case Switch _, Parallel _ -> branches().stream();
            case Task _, Wait _, RunStart _, ChildRun _, Compute _, SetVariables _, Terminate _ -> Stream.empty();
        };
    }

    /** What a node does. */
    public sealed interface Work {
        /** The kind it has in history. */
        public JobKind kind();
    }

    /** What holds steps of its own. */
    public sealed interface Container extends Work {}

    /** What holds scopes by number. */
    public sealed interface Fan extends Container {
        /** The steps of one of them. */
        Graph graph(int number);

        /** Whether the failure of one, which works on this item, leaves its error as its result. */
        boolean skipsFailure(int number, JsonValue item);

        /** Most in progress at a time. */
        int parallelism();

        /** How they come together. */
        LoopOptions options();
    }

    /** A job on a worker. */
    public record Task(
            Target target,
            Template input,
            Optional<Template> tag,
            int priority,
            Duration timeout,
            RetryPolicy retry,
            Optional<TaskOptions.Cache> cache,
            boolean deleteAfterUse,
            Optional<TaskOptions.Limit> limit,
            Optional<Template> overrides)
            implements Work {
        @Override
        public JobKind kind() {
            return target instanceof Fixed fixed && fixed.job() instanceof JobTarget.Script
                    ? JobKind.SCRIPT
                    : JobKind.HANDLER;
        }
    }

    /** What a task runs. */
    public sealed interface Target {}

    /** Known from the definition. */
    public record Fixed(JobTarget job, String name) implements Target {}

    /** Worked out when the step begins: {@code handler:NAME} or the path of one of these scripts. */
    public record Computed(Template name, Map<String, JobTarget.Script> scripts) implements Target {}

    /** A loop over items. */
    public record ForEach(
            Template items, int parallelism, Optional<Template> computedParallelism, Graph body, LoopOptions options)
            implements Fan {
        @Override
        public Graph graph(int number) {
            return body;
        }

        @Override
        public boolean skipsFailure(int number, JsonValue item) {
            return options.skipsFailure(item);
        }

        @Override
        public JobKind kind() {
            return JobKind.FOR_EACH;
        }
    }

    /** A loop over a condition. */
    public record While(Template condition, boolean conditionFirst, int iterationsMax, Graph body, LoopOptions options)
            implements Fan {
        @Override
        public Graph graph(int number) {
            return body;
        }

        @Override
        public boolean skipsFailure(int number, JsonValue item) {
            return options.skipsFailure(item);
        }

        @Override
        public int parallelism() {
            return 1;
        }

        @Override
        public JobKind kind() {
            return JobKind.WHILE;
        }
    }

    /** Branches that all run. */
    public record Parallel(List<NamedBranch> branches, int parallelism, Optional<StepPolicy.Extent> stopped)
            implements Fan {
        /** Whether the results go by the names of the branches. */
        public boolean isNamed() {
            return branches.stream().anyMatch(branch -> !branch.name().isEmpty());
        }

        @Override
        public Graph graph(int number) {
            return branches.get(number).graph();
        }

        @Override
        public boolean skipsFailure(int number, JsonValue item) {
            return branches.get(number).skipFailure();
        }

        @Override
        public LoopOptions options() {
            return LoopOptions.DEFAULT;
        }

        @Override
        public JobKind kind() {
            return JobKind.PARALLEL;
        }
    }

    /** A branch that runs beside others. */
    public record NamedBranch(String name, Graph graph, boolean skipFailure) {}

    /** A choice; branch {@code cases.size()} is {@code otherwise}. */
    public record Switch(Optional<Template> value, List<Branch> cases, Optional<Graph> otherwise) implements Container {
        /** All branches, the default last. */
        List<Graph> branches() {
            return Stream.concat(cases.stream().map(Branch::graph), otherwise.stream())
                    .toList();
        }

        @Override
        public JobKind kind() {
            return JobKind.SWITCH;
        }
    }

    /** A branch of a choice. */
    public record Branch(StepAction.Test test, Graph graph) {}

    /** The steps of another flow. */
    public record SubFlow(FlowDefinition flow, RunInput.Check inputs, Graph graph, Template input)
            implements Container {
        @Override
        public JobKind kind() {
            return JobKind.SUB_FLOW;
        }
    }

    /** A wait. */
    public record Wait(StepAction.WaitFor until) implements Work {
        @Override
        public JobKind kind() {
            return JobKind.WAIT;
        }
    }

    /** A run of its own to start. */
    public record RunStart(Template flow, Template input) implements Work {
        @Override
        public JobKind kind() {
            return JobKind.START_RUN;
        }
    }

    /** A run of its own to start, and to wait for; {@code runIdAs} as in {@link StepAction.ChildRun}. */
    public record ChildRun(Template flow, Template input, Optional<String> runIdAs) implements Work {
        @Override
        public JobKind kind() {
            return JobKind.CHILD_RUN;
        }
    }

    /** A value. */
    public record Compute(Template result) implements Work {
        @Override
        public JobKind kind() {
            return JobKind.COMPUTE;
        }
    }

    /** A change of variables. */
    public record SetVariables(Template values) implements Work {
        @Override
        public JobKind kind() {
            return JobKind.SET_VARIABLES;
        }
    }

    /** An early end of the run. */
    public record Terminate(StepAction.Terminate end) implements Work {
        @Override
        public JobKind kind() {
            return JobKind.TERMINATE;
        }
    }
}
