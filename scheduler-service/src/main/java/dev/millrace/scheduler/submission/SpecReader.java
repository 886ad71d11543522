package dev.millrace.scheduler.submission;

import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.scheduler.config.JobConfig;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.input.InputProblem;
import dev.millrace.scheduler.input.InputSchemas;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunOptions;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.telemetry.Traceparent;
import dev.millrace.telemetry.Tracestate;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Validates the spec of a run and creates the new run. */
final class SpecReader {
    /** Longest delay of a run. */
    private static final Duration DELAY_MAX = Duration.ofDays(3_660);

    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    /** Tag of flows' root jobs, which no worker serves. */
    private static final String FLOW_TAG = "flow";

    private final IdSource ids;
    private final Supplier<Instant> clock;
    private final JobConfig defaults;
    private final InputReader inputs;
    private final InputSchemas schemas;
    private final EnvReader envs;
    private final UnaryOperator<String> traces;

    /** @param traces decides on the trace context of a run by the one that its caller gives, which may be empty */
    SpecReader(
            IdSource ids,
            Supplier<Instant> clock,
            JobConfig defaults,
            InputReader inputs,
            InputSchemas schemas,
            EnvReader envs,
            UnaryOperator<String> traces) {
        this.ids = ids;
        this.clock = clock;
        this.defaults = defaults;
        this.inputs = inputs;
        this.schemas = schemas;
        this.envs = envs;
        this.traces = traces;
    }

    /**
     * The new run; empty, with violations, if a field is invalid.
     *
     * @param field path of the spec in the request
     * @param starter who submits; absent for callers without a token
     */
    Optional<NewRun> read(
            RunSpec spec, String field, TargetResolver targets, Optional<RunStarter> starter, Violations violations) {
        Optional<ResolvedTarget> target = targets.resolve(spec.getTarget(), field + ".target", violations);
        if (target.isEmpty()) {
            return Optional.empty();
        }
        RunTarget resolved = target.get().target();
        Optional<Json> input = inputs.read(spec.getInput(), resolved, field + ".input", violations)
                .filter(given -> fits(given, targets.workspace(), resolved, field + ".input", violations));
        Optional<Json> env = envs.read(spec.getEnv(), resolved, field + ".env", violations);
        Optional<JobOptions> options = options(spec, resolved, field, violations);
        Optional<Duration> delay = delay(spec, field, violations);
        Optional<Duration> startWithin = startWithin(spec, delay, field, violations);
        if (input.isEmpty() || options.isEmpty()) {
            return Optional.empty();
        }
        options.get().limit().ifPresent(targets::requireLimit);
        KeptOptions kept = new KeptOptions(env, options.get().limit(), startWithin, starter);
        RunOptions asked = new RunOptions(options.get(), delay, traces.apply(trace(spec)), kept);
        return Optional.of(new NewRun(ids.nextRun(), resolved, target.get().name(), input.get(), asked));
    }

    /** Whether an input fits the schema of the script, if the target is one whose schema is known. */
    private boolean fits(Json input, Workspace workspace, RunTarget target, String field, Violations violations) {
        if (!(target instanceof RunTarget.Job(JobTarget.Script script))) {
            return true;
        }
        List<InputProblem> problems = schemas.check(workspace, script.hash(), input);
        problems.forEach(problem ->
                violations.add(problem.path().isEmpty() ? field : field + "." + problem.path(), problem.message()));
        return problems.isEmpty();
    }

    private Optional<JobOptions> options(RunSpec spec, RunTarget target, String field, Violations violations) {
        return switch (target) {
            case RunTarget.Job(JobTarget job) -> jobOptions(spec, job, field, violations);
            case RunTarget.FlowRun _ -> flowOptions(spec, field, violations);
        };
    }

    private Optional<JobOptions> jobOptions(RunSpec spec, JobTarget job, String field, Violations violations) {
        violations.require(
                JobOptions.isCallers(spec.getTag()),
                field + ".tag",
                "begins with '@' or '~', as only tags of the scheduler itself do: choose another tag");
        Optional<RetryPolicy> retry = violations.collect(field + ".retry", () -> RetryReader.read(spec));
        Optional<Optional<JobLimit>> limit = violations.collect(field + ".limit", () -> LimitReader.read(spec, job));
        return retry.flatMap(policy -> violations.collect(
                field,
                () -> new JobOptions(
                        spec.getTag().isEmpty() ? job.defaultTag() : spec.getTag(),
                        spec.getPriority(),
                        spec.hasTimeout() ? TimeProtos.duration(spec.getTimeout()) : defaults.timeoutDefault(),
                        policy,
                        limit.flatMap(found -> found))));
    }

    private static Optional<JobOptions> flowOptions(RunSpec spec, String field, Violations violations) {
        String remedy = "cannot be given for a flow: set it on the flow's steps";
        violations.require(spec.getTag().isEmpty(), field + ".tag", remedy);
        violations.require(
                !spec.hasTimeout(),
                field + ".timeout",
                "cannot be given for a flow: set timeout in its definition, for the whole flow or for steps");
        violations.require(!spec.hasRetry(), field + ".retry", remedy);
        violations.require(!spec.hasLimit(), field + ".limit", remedy);
        return violations.collect(
                field, () -> new JobOptions(FLOW_TAG, spec.getPriority(), JobOptions.TIMEOUT_LIMIT, RetryPolicy.NONE));
    }

    private Optional<Duration> delay(RunSpec spec, String field, Violations violations) {
        if (!spec.hasRunAfter()) {
            return Optional.empty();
        }
        return violations
                .collect(field + ".run_after", () -> TimeProtos.instant(spec.getRunAfter()))
                .map(runAfter -> Duration.between(clock.get(), runAfter))
                .filter(delay -> {
                    violations.require(
                            delay.compareTo(DELAY_MAX) <= 0,
                            field + ".run_after",
                            "is more than " + DELAY_MAX.toDays() + " days ahead");
                    return delay.isPositive();
                });
    }

    private static Optional<Duration> startWithin(
            RunSpec spec, Optional<Duration> delay, String specField, Violations violations) {
        if (!spec.hasStartWithin()) {
            return Optional.empty();
        }
        String field = specField + ".start_within";
        Optional<Duration> time = violations.collect(field, () -> TimeProtos.duration(spec.getStartWithin()));
        return time.filter(within -> {
                    boolean isInRange = within.compareTo(Duration.ofMillis(1)) >= 0 && within.compareTo(DELAY_MAX) <= 0;
                    violations.require(
                            isInRange,
                            field,
                            Durations.text(within) + " (expected: 1ms to " + Durations.text(DELAY_MAX) + ")");
                    violations.require(
                            delay.filter(wait -> wait.compareTo(within) >= 0).isEmpty(),
                            field,
                            "ends before run_after: the run could never start");
                    return isInRange;
                })
                .map(within -> within.truncatedTo(ChronoUnit.MILLIS));
    }

    /** The caller's trace context with its state; without what is malformed, as W3C Trace Context demands. */
    private static String trace(RunSpec spec) {
        return TRACEPARENT.matcher(spec.getTraceparent()).matches()
                ? Traceparent.join(spec.getTraceparent(), Tracestate.read(spec.getTracestate()))
                : "";
    }
}
