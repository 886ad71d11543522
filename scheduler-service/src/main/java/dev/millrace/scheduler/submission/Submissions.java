package dev.millrace.scheduler.submission;

import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.input.InputSchemas;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.Queue;
import dev.millrace.scheduler.queue.QueueAnswers;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.script.Scripts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Validates submissions and passes them to the queue, or merges them with waiting runs. */
public final class Submissions {
    /** Maximum number of runs of one submission. */
    private static final int RUNS_MAX = 10_000;

    private final Queue queue;
    private final Scripts scripts;
    private final Flows flows;
    private final FlowCatalog catalog;
    private final SpecReader specs;
    private final Debounces debounces;

    /** @param traces decides on the trace context of a run by the one that its caller gives, which may be empty */
    public Submissions(
            Queue queue,
            Scripts scripts,
            InputSchemas schemas,
            Flows flows,
            FlowCatalog catalog,
            IdSource ids,
            SchedulerConfig config,
            Debounces debounces,
            UnaryOperator<String> traces) {
        this.queue = queue;
        this.debounces = debounces;
        this.scripts = scripts;
        this.flows = flows;
        this.catalog = catalog;
        InputReader inputs = new InputReader(catalog, config.limit().payloadBytesMax());
        this.specs = new SpecReader(ids, WallClock::now, config.job(), inputs, schemas, new EnvReader(catalog), traces);
    }

    /** A checked submission of one run. */
    public PreparedSubmission one(Access access, Workspace workspace, String requestId, RunSpec spec) {
        return prepare(access, workspace, requestId, List.of(spec), _ -> "spec");
    }

    /**
     * A checked submission of a stored run. The caller adds the id of the run and the request id. Violations name the
     * fields of the run as those of a field {@code run}, since whatever stores a run calls it so.
     */
    public PreparedSubmission one(Access access, Workspace workspace, RunTemplate template) {
        return prepare(access, workspace, "", List.of(template.spec()), _ -> "run");
    }

    /** A checked submission of many runs. */
    public PreparedSubmission many(Access access, Workspace workspace, String requestId, List<RunSpec> specs) {
        if (specs.isEmpty() || specs.size() > RUNS_MAX) {
            throw MillraceException.invalid("specs", specs.size() + " items (expected: 1 to " + RUNS_MAX + ")");
        }
        return prepare(access, workspace, requestId, specs, index -> "specs[" + index + "]");
    }

    /** Makes the submission durable, unless an earlier call with the same request id has. */
    public AcceptedSubmission submit(PreparedSubmission prepared) {
        return settle(prepared, offer(prepared));
    }

    /**
     * Passes the submission to the queue. The future completes once the submission is durable or rejected; {@link
     * #settle} interprets it.
     */
    public CompletableFuture<SubmitResult> offer(PreparedSubmission prepared) {
        return offer(prepared.submission());
    }

    /** Waits for the queue's answer. Submits again if the submission relied on outdated versions. */
    public AcceptedSubmission settle(PreparedSubmission prepared, CompletableFuture<SubmitResult> answer) {
        return accepted(prepared.submission(), answer).orElseGet(() -> {
            Submission lookedUp = prepared.lookedUp().get();
            return accepted(lookedUp, offer(lookedUp))
                    .orElseThrow(
                            () -> new IllegalStateException("versions from the database were rejected as outdated"));
        });
    }

    /** Key of the step whose result a waiting caller gets early; empty if the caller waits for the end of the run. */
    public Optional<String> earlyReturn(Submission submission) {
        return submission.runs().getFirst().target() instanceof RunTarget.FlowRun(String hash)
                ? catalog.model(hash).definition().options().callers().earlyReturn()
                : Optional.empty();
    }

    private CompletableFuture<SubmitResult> offer(Submission submission) {
        return debounces
                .submit(submission)
                .map(CompletableFuture::completedFuture)
                .orElseGet(() -> queue.submit(submission));
    }

    /** Empty if the submission relies on an outdated version. */
    private static Optional<AcceptedSubmission> accepted(
            Submission submission, CompletableFuture<SubmitResult> answer) {
        return switch (QueueAnswers.await(answer)) {
            case SubmitResult.Accepted accepted -> Optional.of(new AcceptedSubmission(submission, accepted.runs()));
            case SubmitResult.Duplicate duplicate -> Optional.of(new AcceptedSubmission(submission, duplicate.runs()));
            case SubmitResult.Outdated _ -> Optional.empty();
            case SubmitResult.Conflict _ ->
                throw new MillraceException(
                        ErrorCode.REQUEST_ID_REUSED,
                        "The request id belongs to another submission: use a new one for each submission.");
            case SubmitResult.Busy busy ->
                throw MillraceException.overloaded(
                        "The queue is full; nothing was accepted. Submit again later.", busy.retryAfter());
        };
    }

    private PreparedSubmission prepare(
            Access access,
            Workspace workspace,
            String requestId,
            List<RunSpec> specs,
            Function<Integer, String> field) {
        Supplier<Submission> lookedUp = () -> checked(access, workspace, requestId, specs, field, false);
        try {
            return new PreparedSubmission(checked(access, workspace, requestId, specs, field, true), lookedUp);
        } catch (MillraceException perhapsOutdated) {
            return new PreparedSubmission(lookedUp.get(), lookedUp);
        }
    }

    private Submission checked(
            Access access,
            Workspace workspace,
            String requestId,
            List<RunSpec> given,
            Function<Integer, String> field,
            boolean trustsMemory) {
        Violations violations = new Violations();
        Optional<RequestId> request = requestId.isEmpty()
                ? Optional.empty()
                : violations.collect("request_id", () -> new RequestId(requestId, Fingerprint.of(given)));
        violations.throwIfAny();
        TargetResolver targets = new TargetResolver(scripts, flows, catalog, access, workspace, trustsMemory);
        Optional<RunStarter> starter = access.starter();
        List<NewRun> runs = new ArrayList<>(given.size());
        for (int index = 0; index < given.size(); index++) {
            specs.read(given.get(index), field.apply(index), targets, starter, violations)
                    .ifPresent(runs::add);
        }
        violations.throwIfAny();
        return new Submission(workspace, request, runs, targets.assumed());
    }
}
