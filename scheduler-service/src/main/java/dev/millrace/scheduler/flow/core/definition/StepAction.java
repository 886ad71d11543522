package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.EndStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a step does, and what can be told of that whatever it is: walkers ask for it, so that they need not know the kinds. */
public sealed interface StepAction {
    /** The lists of steps inside it that belong to the flow around it. */
    default List<StepList> lists() {
        return List.of();
    }

    /** Of these, the lists whose steps can be read from outside once the step has ended. */
    default List<StepList> openLists() {
        return List.of();
    }

    /** The flow that stands inside it. */
    default Optional<FlowDefinition> inlineFlow() {
        return Optional.empty();
    }

    /** Whether tasks may stand around it. */
    default boolean isHookable() {
        return false;
    }

    /** Whether it leaves one row in the history and no other, so that it can go by the key of an iteration. */
    default boolean leavesOneRow() {
        return false;
    }

    /** Runs a job on a worker. */
    record Task(TaskTarget target, Template input, TaskOptions options) implements StepAction {
        public Task {
            requireNonNull(target, "target");
            requireNonNull(input, "input");
            requireNonNull(options, "options");
        }

        @Override
        public boolean isHookable() {
            return true;
        }

        @Override
        public boolean leavesOneRow() {
            return true;
        }
    }

    /**
     * Runs a task, a container or a run of its own with tasks around it, each a step of its own in the history, one after the other; results
     * in what {@code run} does. Its retry, that of the task or of the step, and the condition for it are those of the whole: what stands before
     * runs again with it.
     *
     * @param beforeRetry runs first where the step is tried again, by its retry or, as far as all of it begins anew, by a person; reads
     *     {@code error} and {@code retry}
     * @param before runs before it, each time
     * @param after runs once it has succeeded, and reads its {@code result}; where that fails, it is not run again
     */
    record Hooked(StepAction run, Optional<Task> beforeRetry, Optional<Task> before, Optional<Task> after)
            implements StepAction {
        public Hooked {
            requireHookable(run);
            requireNonNull(beforeRetry, "beforeRetry");
            requireNonNull(before, "before");
            requireNonNull(after, "after");
            if (beforeRetry.isEmpty() && before.isEmpty() && after.isEmpty()) {
                throw new IllegalArgumentException("a step with nothing around it is no hooked step");
            }
        }

        private static void requireHookable(StepAction run) {
            if (!run.isHookable()) {
                throw new IllegalArgumentException(run + " cannot have hooks");
            }
            if (run instanceof Task task && task.options().deleteAfterUse()) {
                throw new IllegalArgumentException("the result of a hooked task is kept by the step around it");
            }
            if (run instanceof Task task && task.options().overrides().isPresent()) {
                throw new IllegalArgumentException("the retry of a hooked task is that of the step around it");
            }
            if (run instanceof Parallel parallel && parallel.stopped().isPresent()) {
                throw new IllegalArgumentException("hooked branches end nothing around the step");
            }
        }

        @Override
        public List<StepList> openLists() {
            return run.openLists();
        }
    }

    /**
     * Runs its body once for each item.
     *
     * @param items the array to go through
     * @param parallelism most iterations in progress at a time; 1 is one after the other
     * @param computedParallelism worked out when the loop begins, and at most that; a whole number from 1
     * @param body steps of one iteration
     * @param single whether the body is one step that stands for the iteration itself: its key is {@code count[3]}
     * @param options how the iterations come together
     */
    record ForEach(
            Template items,
            int parallelism,
            Optional<Template> computedParallelism,
            StepList body,
            boolean single,
            LoopOptions options)
            implements StepAction {
        public ForEach {
            requireNonNull(items, "items");
            requireNonNull(computedParallelism, "computedParallelism");
            requireNonNull(body, "body");
            requireNonNull(options, "options");
            requireParallelism(parallelism);
            if (single && body.steps().size() != 1) {
                throw new IllegalArgumentException(
                        "a loop of a single step has " + body.steps().size() + " steps");
            }
        }

        /** A loop whose parallelism is known. */
        public ForEach(Template items, int parallelism, StepList body, boolean single, LoopOptions options) {
            this(items, parallelism, Optional.empty(), body, single, options);
        }

        @Override
        public List<StepList> lists() {
            return List.of(body);
        }

        @Override
        public boolean isHookable() {
            return true;
        }
    }

    /**
     * Repeats its body, one iteration after the other. An iteration sees its number as {@code index}, and the result of the one before
     * it as {@code item} (null in the first).
     *
     * @param condition another iteration follows where this is true; sees the result of the last iteration as {@code result}
     * @param conditionFirst whether it is looked at before the first iteration, too
     * @param iterationsMax fails after this many
     */
    record While(Template condition, boolean conditionFirst, int iterationsMax, StepList body, LoopOptions options)
            implements StepAction {
        public While {
            requireNonNull(condition, "condition");
            requireNonNull(body, "body");
            requireNonNull(options, "options");
            if (!(options.skipFailures() instanceof Template.Constant)) {
                throw new IllegalArgumentException("skipFailures: " + options.skipFailures()
                        + " (expected: a constant, since the items of a loop over a condition are its results)");
            }
            if (iterationsMax < 1 || iterationsMax > FlowLimits.LOOP_ITEMS_MAX) {
                throw new IllegalArgumentException(
                        "iterationsMax: " + iterationsMax + " (expected: 1 to " + FlowLimits.LOOP_ITEMS_MAX + ")");
            }
        }

        @Override
        public List<StepList> lists() {
            return List.of(body);
        }

        @Override
        public boolean isHookable() {
            return true;
        }
    }

    /**
     * Runs all its branches; branch {@code i} of step {@code p} goes by the key {@code p[i]}. Results in the array of the branches'
     * results, or in an object where the branches have names.
     *
     * @param parallelism most branches in progress at a time; 1 is one after the other
     * @param stopped what ends around it, with its result, if a step in one of its branches has ended the {@link
     *     StepPolicy.Extent#BRANCHES}; absent for nothing
     */
    record Parallel(List<Branch> branches, int parallelism, Optional<StepPolicy.Extent> stopped) implements StepAction {
        public Parallel {
            branches = List.copyOf(branches);
            requireParallelism(parallelism);
            requireNonNull(stopped, "stopped");
        }

        /** Branches that end nothing but themselves. */
        public Parallel(List<Branch> branches, int parallelism) {
            this(branches, parallelism, Optional.empty());
        }

        @Override
        public List<StepList> lists() {
            return branches.stream().map(Branch::steps).toList();
        }

        @Override
        public List<StepList> openLists() {
            return lists();
        }

        @Override
        public boolean isHookable() {
            return true;
        }
    }

    /**
     * A branch of {@link Parallel}.
     *
     * @param name its key in the result; empty in all branches where they have none
     * @param skipFailure whether its failure leaves {@code {"error": …}} as its result instead of failing the step
     */
    record Branch(String name, StepList steps, boolean skipFailure) {
        public Branch {
            requireNonNull(name, "name");
            requireNonNull(steps, "steps");
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

        @Override
        public List<StepList> lists() {
            return Stream.concat(cases.stream().map(Case::steps), otherwise.stream())
                    .toList();
        }

        @Override
        public List<StepList> openLists() {
            return lists();
        }

        @Override
        public boolean isHookable() {
            return true;
        }
    }

    /**
     * Runs the steps of another flow as a part of this run. They see {@code input} as their inputs and nothing of the flow around them.
     *
     * @param path of the deployed flow; its version is fixed when this flow is deployed
     * @param runIdAs as in {@link ChildRun}, for a flow that only runs on its own
     */
    record SubFlow(String path, Template input, Optional<String> runIdAs) implements StepAction {
        public SubFlow {
            requireNonNull(path, "path");
            requireNonNull(input, "input");
            requireNonNull(runIdAs, "runIdAs");
        }

        public SubFlow(String path, Template input) {
            this(path, input, Optional.empty());
        }

        @Override
        public boolean isHookable() {
            return true;
        }
    }

    /**
     * Runs the steps of a flow that is defined right here, as a part of this run; as {@link SubFlow}, it sees nothing of the flow around it.
     *
     * @param flow without a name; its scripts are those of the flow around it
     */
    record InlineFlow(FlowDefinition flow, Template input) implements StepAction {
        public InlineFlow {
            requireNonNull(flow, "flow");
            requireNonNull(input, "input");
        }

        @Override
        public Optional<FlowDefinition> inlineFlow() {
            return Optional.of(flow);
        }

        @Override
        public boolean isHookable() {
            return true;
        }
    }

    /**
     * Starts a run of its own and goes on without waiting; results in {@code {"run_id": …}}.
     *
     * @param flow path of the deployed flow; its current version is taken
     */
    record StartRun(Template flow, Template input) implements StepAction {
        public StartRun {
            requireNonNull(flow, "flow");
            requireNonNull(input, "input");
        }

        @Override
        public boolean leavesOneRow() {
            return true;
        }
    }

    /**
     * Runs another flow as a run of its own and waits for its end: results in its output, and fails where it fails or is canceled.
     *
     * @param flow path of the deployed flow; its current version is taken
     * @param runIdAs the member of the result that is the id of the run, unless the output has that member; absent where the result is the output
     */
    record ChildRun(Template flow, Template input, Optional<String> runIdAs) implements StepAction {
        public ChildRun {
            requireNonNull(flow, "flow");
            requireNonNull(input, "input");
            requireNonNull(runIdAs, "runIdAs");
        }

        public ChildRun(Template flow, Template input) {
            this(flow, input, Optional.empty());
        }

        @Override
        public boolean isHookable() {
            return true;
        }

        @Override
        public boolean leavesOneRow() {
            return true;
        }
    }

    /** Results in a value, without a worker. */
    record Compute(Template result) implements StepAction {
        public Compute {
            requireNonNull(result, "result");
        }

        @Override
        public boolean leavesOneRow() {
            return true;
        }
    }

    /**
     * Publishes a message to the handlers of an event, without a worker; results in the message.
     *
     * @param event name of the event, a text
     */
    record Publish(Template event, Template message) implements StepAction {
        public Publish {
            requireNonNull(event, "event");
            requireNonNull(message, "message");
        }

        @Override
        public boolean leavesOneRow() {
            return true;
        }
    }

    /** Changes variables of the run: an object whose members replace those of the same name. Results in that object. */
    record SetVariables(Template values) implements StepAction {
        public SetVariables {
            requireNonNull(values, "values");
        }
    }

    /**
     * Ends the run at once; what is running is canceled.
     *
     * @param status how the run ends
     * @param output its result where it succeeds
     * @param reason its error message where it does not; null where absent
     */
    record Terminate(EndStatus status, Template output, Template reason) implements StepAction {
        public Terminate {
            requireNonNull(status, "status");
            requireNonNull(output, "output");
            requireNonNull(reason, "reason");
        }
    }

    /** Waits, and holds no worker, no memory and no connection meanwhile. */
    record Wait(WaitFor until) implements StepAction {
        public Wait {
            requireNonNull(until, "until");
        }

        @Override
        public boolean leavesOneRow() {
            return true;
        }
    }

    /**
     * Sends a request again and again until a condition over its response holds; results in the last response. In between it waits, as
     * {@link Wait} does.
     *
     * @param request of the handler {@code millrace.http}; its retry is that of each request
     * @param until no further request follows where this is true; sees the response as {@code result}
     * @param every wait between a response and the next request, as that of {@link WaitFor.Delay}; sees how many requests there were as {@code retry}
     * @param requestsMax fails after this many
     */
    record HttpPoll(Task request, Template until, Template every, int requestsMax) implements StepAction {
        public static final int REQUESTS_LIMIT = 10_000;

        public HttpPoll {
            requireNonNull(request, "request");
            requireNonNull(until, "until");
            requireNonNull(every, "every");
            if (requestsMax < 1 || requestsMax > REQUESTS_LIMIT) {
                throw new IllegalArgumentException("requestsMax: " + requestsMax + " (expected: 1 to 10,000)");
            }
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

    private static void requireParallelism(int parallelism) {
        if (parallelism < 1 || parallelism > FlowLimits.PARALLELISM_MAX) {
            throw new IllegalArgumentException(
                    "parallelism: " + parallelism + " (expected: 1 to " + FlowLimits.PARALLELISM_MAX + ")");
        }
    }
}
