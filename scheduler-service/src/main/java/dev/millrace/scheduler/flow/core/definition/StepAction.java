package dev.millrace.scheduler.flow.core.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

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
            switch (run) {
                case Task task
                when task.options().deleteAfterUse() ->
                    throw new IllegalArgumentException("the result of a hooked task is kept by the step around it");
                case Task task
                when task.options().overrides().isPresent() ->
                    throw new IllegalArgumentException("the retry of a hooked task is that of the step around it");
                case Parallel parallel
                when parallel.stopped().isPresent() ->
                    throw new IllegalArgumentException("hooked branches end nothing around the step");
                case Task _, ForEach _, While _, Parallel _, Switch _, SubFlow _, InlineFlow _, ChildRun _ -> {}
                case Hooked _, StartRun _, Compute _, SetVariables _, Terminate _, Wait _ ->
                    throw new IllegalArgumentException(run + " cannot have hooks");
            }
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
     * How the iterations of a loop come together.
     *
     * @param skipFailures where this is true, a failed iteration leaves {@code {"error": …}} as its result instead of failing the loop: a
     *     constant, or a path from the item of the iteration. It depends on nothing else, so that it is the same whenever it is looked at
     * @param breakIf ends the loop after an iteration where this is true; sees that iteration's result
     * @param key name of an iteration in the result, which then is an object; absent for an array
     * @param keepLast how many of the last iterations the result keeps; absent for all
     */
    record LoopOptions(
            Template skipFailures, Optional<Template> breakIf, Optional<Template> key, OptionalInt keepLast) {
        /** An array of all results. */
        public static final LoopOptions DEFAULT =
                new LoopOptions(false, Optional.empty(), Optional.empty(), OptionalInt.empty());

        public LoopOptions {
            requireNonNull(breakIf, "breakIf");
            requireNonNull(key, "key");
            requireNonNull(keepLast, "keepLast");
            if (!(skipFailures instanceof Template.Constant) && !isPathFromItem(skipFailures)) {
                throw new IllegalArgumentException(
                        "skipFailures: " + skipFailures + " (expected: a constant, or a path from the item)");
            }
        }

        /** Skips all failures, or none. */
        public LoopOptions(
                boolean skipFailures, Optional<Template> breakIf, Optional<Template> key, OptionalInt keepLast) {
            this(new Template.Constant(skipFailures ? JsonValue.TRUE : JsonValue.FALSE), breakIf, key, keepLast);
        }

        /** Whether a template can decide which failures are skipped, beside constants. */
        public static boolean isPathFromItem(Template template) {
            return template instanceof Template.Whole(Path path) && path.root() instanceof Root.Item;
        }

        /** Whether the failure of the iteration over this item is skipped; it is not if the item does not say so. */
        public boolean skipsFailure(JsonValue item) {
            try {
                return switch (skipFailures) {
                    case Template.Constant constant -> constant.value().isTruthy();
                    case Template.Whole(Path path) -> isTrueIn(item, path.segments());
                    case Template other -> throw new IllegalStateException("no path from the item: " + other);
                };
            } catch (EvaluationFailed unreadable) {
                return false;
            }
        }

        private static boolean isTrueIn(JsonValue item, List<Segment> path) {
            @Nullable JsonValue value = item;
            for (Segment segment : path) {
                value = value == null ? null : segment.of(value);
            }
            return value != null && value.isTruthy();
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
    }

    /**
     * Runs another flow as a run of its own and waits for its end: results in its output, and fails where it fails or is cancelled.
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
    }

    /** Results in a value, without a worker. */
    record Compute(Template result) implements StepAction {
        public Compute {
            requireNonNull(result, "result");
        }
    }

    /** Changes variables of the run: an object whose members replace those of the same name. Results in that object. */
    record SetVariables(Template values) implements StepAction {
        public SetVariables {
            requireNonNull(values, "values");
        }
    }

    /**
     * Ends the run at once; what is running is cancelled.
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
    }

    /** What ends a wait. */
    sealed interface WaitFor {
        /** A time: seconds as a number, or a duration such as {@code 5m}. */
        record Delay(Template duration) implements WaitFor {}

        /** A moment: RFC 3339, or milliseconds since 1970 as a number. */
        record Until(Template moment) implements WaitFor {}

        /**
         * Signals or people. Results in {@code {"payload": …, "payloads": […], "approvers": […]}}.
         *
         * @param kind who is expected
         * @param name of the signal, unique in the run where it is to be told from others; a text
         * @param required how many must come
         * @param details for people: {@code {"title", "description", "form" (a JSON Schema), "assignees": […]}}; null for none
         * @param timeLimit longest wait; absent for as long as the run lives
         * @param onTimeout what its end means
         * @param onDenial what a denial means
         */
        record Events(
                EventKind kind,
                Template name,
                int required,
                Template details,
                Optional<Duration> timeLimit,
                WaitEnd onTimeout,
                WaitEnd onDenial)
                implements WaitFor {}
    }

    /** Who is expected. */
    enum EventKind {
        /** A program, by name. */
        SIGNAL,
        /** People who approve or deny. */
        APPROVAL,
        /** A person who does something and hands in the result. */
        HUMAN
    }

    /** What the end of a wait without its event means. */
    enum WaitEnd {
        /** The step fails with {@code TimedOut} or {@code Denied}. */
        FAIL,
        /** The step succeeds, with {@code {"timed_out": true}} or {@code {"denied": true}} beside its result. */
        CONTINUE
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

        /** A handler or script whose name is worked out when the step begins: {@code handler:NAME} or the path of a script of the flow. */
        record Computed(Template name) implements TaskTarget {}
    }

    /**
     * How a task is queued and run; what is absent takes its default when the flow is resolved.
     *
     * @param deleteAfterUse whether its input, its result and its logs go once the run has ended
     * @param limit how many jobs like it may be with workers, or begin in some time
     * @param overrides an object, or null, with what the job has in place of the timeout, the retry and the limit that stand here; see
     *     {@link JobOverrides#read}. Worked out when the step begins
     */
    record TaskOptions(
            Optional<Template> tag,
            int priority,
            Optional<Duration> timeout,
            RetryPolicy retry,
            Optional<Cache> cache,
            boolean deleteAfterUse,
            Optional<Limit> limit,
            Optional<Template> overrides) {
        /** Nothing asked for. */
        public static final TaskOptions DEFAULT =
                new TaskOptions(Optional.empty(), 0, Optional.empty(), RetryPolicy.NONE);

        public TaskOptions {
            requireNonNull(tag, "tag");
            requireNonNull(timeout, "timeout");
            requireNonNull(retry, "retry");
            requireNonNull(cache, "cache");
            requireNonNull(limit, "limit");
            requireNonNull(overrides, "overrides");
        }

        /** The same, tried once only. */
        public TaskOptions withoutRetry() {
            return new TaskOptions(tag, priority, timeout, RetryPolicy.NONE, cache, deleteAfterUse, limit, overrides);
        }

        /** The same, with what each job has in place of them. */
        public TaskOptions overriddenBy(Optional<Template> object) {
            return new TaskOptions(tag, priority, timeout, retry, cache, deleteAfterUse, limit, object);
        }

        /** The same for all jobs. */
        public TaskOptions(
                Optional<Template> tag,
                int priority,
                Optional<Duration> timeout,
                RetryPolicy retry,
                Optional<Cache> cache,
                boolean deleteAfterUse,
                Optional<Limit> limit) {
            this(tag, priority, timeout, retry, cache, deleteAfterUse, limit, Optional.empty());
        }

        /** Without a cache and a limit, and kept. */
        public TaskOptions(Optional<Template> tag, int priority, Optional<Duration> timeout, RetryPolicy retry) {
            this(tag, priority, timeout, retry, Optional.empty(), false, Optional.empty());
        }
    }

    /**
     * A limit that jobs with the same key share, in whatever runs of the workspace.
     *
     * @param key absent for the handler, or the version of the script, that the task runs
     * @param max most jobs at a time; absent for no such limit
     * @param rate how many may begin in some time; absent for no such limit
     */
    record Limit(Optional<Template> key, OptionalInt max, Optional<JobLimit.Rate> rate) {
        public Limit {
            requireNonNull(key, "key");
            requireNonNull(max, "max");
            requireNonNull(rate, "rate");
            if (max.isEmpty() && rate.isEmpty()) {
                throw new IllegalArgumentException("a limit has neither max nor rate (expected: one of them)");
            }
        }
    }

    /**
     * A result that is kept: the same code with the same key then results in it without being run.
     *
     * @param ttl how long
     * @param key what the result depends on, beside the code; absent for the whole input
     */
    record Cache(Duration ttl, Optional<Template> key) {
        public Cache {
            requireNonNull(ttl, "ttl");
            requireNonNull(key, "key");
            if (!ttl.isPositive() || ttl.compareTo(FlowLimits.CACHE_TTL_MAX) > 0) {
                throw new IllegalArgumentException(
                        "ttl: " + ttl + " (expected: more than nothing, at most " + FlowLimits.CACHE_TTL_MAX + ")");
            }
        }
    }

    private static void requireParallelism(int parallelism) {
        if (parallelism < 1 || parallelism > FlowLimits.PARALLELISM_MAX) {
            throw new IllegalArgumentException(
                    "parallelism: " + parallelism + " (expected: 1 to " + FlowLimits.PARALLELISM_MAX + ")");
        }
    }
}
