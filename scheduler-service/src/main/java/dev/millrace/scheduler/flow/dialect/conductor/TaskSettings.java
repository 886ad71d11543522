package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.JobOverrides;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.conductor.TaskDefinition.RetryLogic;
import dev.millrace.scheduler.flow.dialect.conductor.TaskDefinition.TimeoutPolicy;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Compiler of the settings of a task: retries, timeouts, delay, and the effect of its failure. */
final class TaskSettings {
    private static final int DELAY_SECONDS_MAX = 30 * 24 * 3_600;
    private static final double EXPONENT_BASE = 2;
    private static final String IN_A_WORKFLOW = "put the task into a workflow, and fork that as a SUB_WORKFLOW.";

    private final Reading reading;
    private final TaskNode task;
    private final Fields fields;
    private final Optional<TaskDefinition> definition;

    TaskSettings(Reading reading, TaskNode task, Optional<TaskDefinition> definition) {
        this.reading = reading;
        this.task = task;
        this.fields = task.fields();
        this.definition = definition;
    }

    /** The policy of the step, without the retries of a job on a worker. */
    StepPolicy policy() {
        fields.ignore(
                List.of("onStateChange"),
                "has no effect: a definition cannot send events of tasks.",
                "Follow the run's events instead.");
        if (!WorkerTasks.isWorker(task) || task.type() == TaskType.FORK_JOIN_DYNAMIC) {
            fields.ignore(
                    List.of(CacheConfig.KEY),
                    "has no effect: only outputs of tasks that run on workers are cached.",
                    "Remove it, or leave it for servers that know it.");
        }
        refuseLimit();
        if (!AsyncCompletion.applies(task) && !AsyncCompletion.isAlwaysCompletedFromOutside(task.type())) {
            fields.ignore(
                    List.of(AsyncCompletion.KEY),
                    "has no effect on a task of the type " + task.typeWord() + ".",
                    "Remove it, or put a WAIT task after it, which a signal ends.");
        }
        boolean worker = WorkerTasks.isWorker(task);
        warnOfToleratedTimeout();
        if (task.type() == TaskType.DO_WHILE) {
            fields.ignore(
                    List.of("retryCount"),
                    "has no effect on a DO_WHILE, as in Conductor: a loop is not retried.",
                    "Give it to the tasks inside, or put the loop into a workflow, and retry its SUB_WORKFLOW.");
        }
        return StepPolicy.NONE
                .change()
                .delay(fields.whole("startDelay", 0, DELAY_SECONDS_MAX)
                        .filter(seconds -> seconds > 0)
                        .map(seconds -> new Template.Constant(JsonValue.of(seconds))))
                .timeout(timeoutOfAll())
                .retry(isRetriedAsAWhole() ? retry() : RetryPolicy.NONE)
                .retryIf(
                        worker && endsWorkflowOnTimeout() && retry().retriesMax() > 0
                                ? Optional.of(new Template.Whole(NotTimedOut.INSTANCE))
                                : Optional.empty())
                .onFailure(onFailure())
                .build();
    }

    /** In Conductor, a timeout with this policy ends the workflow even if a failure of the task is tolerated. */
    private void warnOfToleratedTimeout() {
        if (endsWorkflowOnTimeout() && onFailure() != StepPolicy.OnFailure.FAIL) {
            reading.warn(
                    task.mark(),
                    fields.path(),
                    "If task \"" + task.reference() + "\" times out, the workflow continues here, because the task is "
                            + (isPermissive(task) ? "permissive" : "optional")
                            + "; in Conductor, the timeoutPolicy TIME_OUT_WF ends the workflow all the same.",
                    "Write the timeoutPolicy RETRY into its definition, with which the workflow continues in both.");
        }
    }

    /** Longest time of all attempts. A poll goes on through all its requests, so that the time of its only attempt is the time of all. */
    private Optional<Duration> timeoutOfAll() {
        Optional<Duration> total = definition
                .filter(known -> known.policy() != TimeoutPolicy.ALERT_ONLY)
                .flatMap(TaskDefinition::totalTimeout);
        return task.type() == TaskType.HTTP_POLL
                ? Stream.concat(total.stream(), timeout().stream()).min(Duration::compareTo)
                : total;
    }

    /** The settings as those of a task that a dynamic fork makes, which cannot have all of them. */
    ForkedSettings.Settings ofForked() {
        refuse("startDelay", "A forked task begins immediately.", "Remove it, or " + IN_A_WORKFLOW);
        refuse(
                "permissive",
                "A forked task either fails its fork immediately or is optional.",
                "Remove it, or set optional.");
        refuse(CacheConfig.KEY, "The output of a forked task is not cached.", "Remove it, or " + IN_A_WORKFLOW);
        if (AsyncCompletion.applies(task)) {
            refuse(AsyncCompletion.KEY, "A forked task ends with its work.", "Remove it, or " + IN_A_WORKFLOW);
        }
        StepPolicy policy = policy();
        if (policy.timeout().isPresent()) {
            reading.problem(
                    task.mark(),
                    fields.path(),
                    "Its definition has a totalTimeoutSeconds, which a forked task cannot have.",
                    "Remove it from the definition; timeoutSeconds limits each attempt.");
        }
        if (policy.retry().retriesMax() > 0) {
            reading.problem(
                    fields,
                    "retryCount",
                    "The task has a retryCount, its own or that of its definition, but a forked workflow is not retried.",
                    "Write a retryCount of 0 into the task, or " + IN_A_WORKFLOW);
        }
        boolean tries = fields.has("retryCount") || definition.isPresent();
        boolean worker = WorkerTasks.isWorker(task);
        JobOverrides overrides = new JobOverrides(
                worker ? attemptTimeout() : Optional.empty(),
                worker && tries
                        ? Optional.of(retry().afterTimeout(policy.retryIf().isEmpty()))
                        : Optional.empty(),
                worker ? limit().flatMap(limit -> TaskLimits.ofJobs(limit, task, reading)) : Optional.empty());
        return new ForkedSettings.Settings(
                policy.onFailure() == StepPolicy.OnFailure.CONTINUE,
                overrides,
                definition.map(TaskDefinition::constants).orElse(Map.of()));
    }

    /** Limit that the definition sets on concurrent tasks and their rate. */
    Optional<TaskOptions.Limit> limit() {
        return definition.flatMap(TaskDefinition::limit);
    }

    private void refuseLimit() {
        boolean worker = WorkerTasks.isWorker(task) && task.type() != TaskType.FORK_JOIN_DYNAMIC;
        if (!worker && limit().isPresent()) {
            reading.problem(
                    task.mark(),
                    fields.path(),
                    "The definition of task \"" + task.reference()
                            + "\" limits how many run, which applies only to tasks that run on workers.",
                    "Remove concurrentExecLimit and rateLimitPerFrequency from it.");
        }
        if (fields.bool("rateLimited").orElse(false) && limit().isEmpty()) {
            reading.problem(
                    fields.find("rateLimited").orElseThrow().mark(),
                    fields.path("rateLimited"),
                    "Task \"" + task.reference() + "\" sets rateLimited, but its definition has no limit.",
                    "Give its definition, in taskDefinition or in taskDefs, a concurrentExecLimit or a"
                            + " rateLimitPerFrequency, or remove rateLimited.");
        }
    }

    /** Whether the step is retried as a whole. A single task without a worker is not: it would fail again. */
    private boolean isRetriedAsAWhole() {
        return task.type() == TaskType.SUB_WORKFLOW || (AsyncCompletion.applies(task) && WorkerTasks.isWorker(task));
    }

    /** The retries of the job, without those of the step. */
    RetryPolicy jobRetry() {
        return AsyncCompletion.applies(task) ? RetryPolicy.NONE : retry();
    }

    private void refuse(String key, String message, String remedy) {
        fields.find(key)
                .filter(node -> !Reading.isEmpty(node))
                .ifPresent(node -> reading.problem(node.mark(), fields.path(key), message, remedy));
    }

    private StepPolicy.OnFailure onFailure() {
        if (fields.bool("optional").orElse(false)) {
            return StepPolicy.OnFailure.CONTINUE;
        }
        return isPermissive(task) ? StepPolicy.OnFailure.FAIL_AT_END : StepPolicy.OnFailure.FAIL;
    }

    /** Whether the workflow continues after a failure of the task and fails at its end. */
    static boolean isPermissive(TaskNode task) {
        return task.fields().bool("permissive").orElse(false)
                && !task.fields().bool("optional").orElse(false);
    }

    /** Retries of the task; none if it has neither a {@code retryCount} nor a definition. */
    RetryPolicy retry() {
        Optional<Integer> count = reading.retryCount(fields);
        int retries = count.or(() -> definition.map(TaskDefinition::retries)).orElse(0);
        if (retries == 0) {
            return RetryPolicy.NONE;
        }
        Duration delay = definition.map(TaskDefinition::delay).orElse(TaskDefinition.DELAY_DEFAULT);
        Duration max = definition.flatMap(TaskDefinition::delayMax).orElse(RetryPolicy.DELAY_LIMIT);
        RetryLogic logic = definition.map(TaskDefinition::logic).orElse(RetryLogic.FIXED);
        Duration jitter = definition.map(TaskDefinition::jitter).orElse(Duration.ZERO);
        RetryPhase phase = switch (logic) {
            case FIXED -> RetryPhase.constant(retries, delay);
            case LINEAR_BACKOFF ->
                RetryPhase.linear(
                        retries, delay, definition.map(TaskDefinition::scale).orElse(1));
            case EXPONENTIAL_BACKOFF -> RetryPhase.exponential(retries, delay, EXPONENT_BASE);
        };
        return new RetryPolicy(List.of(phase), max, 0, jitter);
    }

    /**
     * Timeout of one attempt: the shorter of {@code timeoutSeconds} and {@code responseTimeoutSeconds}. The session of
     * a worker shows whether it is alive, so responses during an attempt do not count.
     */
    Optional<Duration> attemptTimeout() {
        return definition.map(known -> timeout()
                .filter(timeout -> timeout.compareTo(known.responseTimeout()) < 0)
                .orElse(known.responseTimeout()));
    }

    /** Timeout from the definition; absent if the timeout policy is only an alert. */
    Optional<Duration> timeout() {
        return definition
                .filter(known -> known.policy() != TimeoutPolicy.ALERT_ONLY)
                .flatMap(TaskDefinition::timeout);
    }

    /** Whether the workflow fails when an attempt times out. */
    private boolean endsWorkflowOnTimeout() {
        return definition
                .filter(known -> known.policy() == TimeoutPolicy.TIME_OUT_WF)
                .flatMap(known -> known.timeout()
                        .map(timeout ->
                                timeout.compareTo(known.responseTimeout()) <= 0 || AsyncCompletion.applies(task)))
                .orElse(false);
    }
}
