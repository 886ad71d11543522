package dev.millrace.scheduler.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.operation.Operations;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.RunTrigger;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.submission.PreparedSubmission;
import dev.millrace.scheduler.submission.RunTemplate;
import dev.millrace.scheduler.submission.Submissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the runs of triggers, one for each occurrence.
 *
 * <p>An occurrence is first noted as claimed, with the id of its run. Then the run is submitted under a request id that
 * follows from that id, and then the outcome is noted. A scheduler that dies in between leaves a claim that expires, and
 * any scheduler goes on with it: it submits the same run under the same request id. Blocking and thread-safe.
 */
public final class TriggerStarts implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TriggerStarts.class);

    /** Number of runs of a trigger that are not accepted yet from which on it reads no further messages. */
    static final int PENDING_MAX = 1_000;
    /** How often to look for occurrences that schedulers have left behind. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);
    /** Maximum number of workspaces whose occurrences are taken over at a time. */
    private static final int RECLAIMED_WORKSPACES_MAX = 8;
    /** What is taken over of each. */
    private static final ClaimTurns.Share RECLAIMED = new ClaimTurns.Share(200, 512 << 10);
    /** How long a busy installation is tried again. Shorter than the time for which request ids are kept. */
    private static final Duration PATIENCE = Duration.ofHours(1);
    /** Reasons for which a run may be accepted later. */
    private static final Set<ErrorCode> TEMPORARY = EnumSet.of(
            ErrorCode.OVERLOADED,
            ErrorCode.QUOTA_EXCEEDED,
            ErrorCode.DATABASE_UNAVAILABLE,
            ErrorCode.SHUTTING_DOWN,
            ErrorCode.INTERNAL);

    private final Database database;
    private final TriggerStartStore store;
    private final TriggerRights rights;
    private final Submissions submissions;
    private final Operations operations;
    private final StartQuota quota;
    private final TriggerMetrics metrics;
    private final ListenTroubles troubles;
    private final ListenTurns turns = new ListenTurns();
    private final WorkspaceLines<ClaimedStart> lines = new WorkspaceLines<>("trigger-starts", starts -> {
        var _ = finish(starts);
    });
    private final WorkspaceLines<ClaimedStart> reclaimed = new WorkspaceLines<>("reclaimed-trigger-starts", starts -> {
        var _ = finish(starts);
    });
    private final Loop healing;

    private TriggerStarts(
            Database database,
            TriggerRights rights,
            Submissions submissions,
            Operations operations,
            StartQuota quota,
            TriggerMetrics metrics,
            ListenTroubles troubles) {
        this.database = database;
        this.store = new TriggerStartStore(database);
        this.rights = rights;
        this.submissions = submissions;
        this.operations = operations;
        this.quota = quota;
        this.metrics = metrics;
        this.troubles = troubles;
        this.healing = Loop.of("trigger-starts", this::heal);
    }

    /** Starts to finish what other schedulers have left behind. */
    public static TriggerStarts start(
            Database database,
            TriggerRights rights,
            Submissions submissions,
            Operations operations,
            StartQuota quota,
            Metrics metrics) {
        TriggerStarts starts = new TriggerStarts(
                database,
                rights,
                submissions,
                operations,
                quota,
                new TriggerMetrics(metrics),
                new ListenTroubles(metrics));
        starts.healing.start();
        return starts;
    }

    /**
     * Notes occurrences and starts their runs. An occurrence that was noted before starts nothing, whatever became of
     * it.
     *
     * @return what has become of each occurrence, in the same order
     */
    public List<StartOutcome> start(List<NewStart> occurrences) {
        NotedStarts noted = store.note(occurrences);
        List<ClaimedStart> claimed = noted.claimed();
        Map<String, StartOutcome> outcomes = new HashMap<>();
        List<StartOutcome> finished = finish(noted);
        for (int index = 0; index < claimed.size(); index++) {
            outcomes.put(name(claimed.get(index)), finished.get(index));
        }
        return occurrences.stream()
                .map(one -> Optional.ofNullable(outcomes.get(one.trigger() + " " + one.occurrence()))
                        .orElseGet(() -> before(one)))
                .toList();
    }

    /**
     * Notes an occurrence of which somebody tells, and starts its run. If it was refused before, it is tried again, for it has started
     * nothing, and its sender may repeat it once what was wrong is mended.
     */
    public StartOutcome startOrRepeat(NewStart occurrence) {
        NotedStarts noted = store.note(List.of(occurrence));
        List<ClaimedStart> claimed = noted.claimed().isEmpty() ? store.repeat(occurrence) : noted.claimed();
        return claimed.isEmpty() ? before(occurrence) : finish(claimed).getFirst();
    }

    private StartOutcome before(NewStart one) {
        Optional<TriggerStart> found = store.find(one.trigger(), one.occurrence());
        if (found.isEmpty()) {
            return new StartOutcome.Refused("The trigger was deleted.");
        }
        TriggerStart start = found.get();
        return switch (start.state()) {
            case WAITING, CLAIMED -> new StartOutcome.Pending();
            case STARTED -> new StartOutcome.Started(start.run().orElseThrow());
            case REFUSED, SKIPPED, MISSED -> new StartOutcome.Refused(start.reason());
        };
    }

    /**
     * Submits the runs of occurrences that were noted, and counts those that start nothing.
     *
     * @return what has become of each that was claimed, in the same order; those that are pending are tried again by any
     *     scheduler
     */
    public List<StartOutcome> finish(NotedStarts noted) {
        if (!noted.unstarted().isEmpty()) {
            List<TriggerId> ids = noted.unstarted().stream()
                    .map(NotedStarts.Unstarted::trigger)
                    .toList();
            Map<TriggerId, Trigger> triggers = TriggerStore.findAll(database, ids);
            noted.unstarted()
                    .forEach(one -> Optional.ofNullable(triggers.get(one.trigger()))
                            .ifPresent(trigger -> metrics.count(trigger, one.state())));
        }
        return finish(noted.claimed());
    }

    /**
     * Submits the runs of occurrences that were noted as claimed.
     *
     * @return what has become of each, in the same order; those that are pending are tried again by any scheduler
     */
    public List<StartOutcome> finish(List<ClaimedStart> claimed) {
        if (claimed.isEmpty()) {
            return List.of();
        }
        Map<TriggerId, Trigger> triggers = TriggerStore.findAll(
                database, claimed.stream().map(ClaimedStart::trigger).toList());
        Map<Optional<UUID>, Optional<Access>> read = new HashMap<>();
        List<Attempt> attempts = claimed.stream()
                .map(start -> begin(start, Optional.ofNullable(triggers.get(start.trigger())), read))
                .toList();
        List<StartOutcome> outcomes = attempts.stream().map(this::outcome).toList();
        List<TriggerStartStore.Ended> ends = new ArrayList<>();
        for (int index = 0; index < outcomes.size(); index++) {
            ClaimedStart start = claimed.get(index);
            Trigger trigger = triggers.get(start.trigger());
            if (trigger != null) {
                metrics.count(trigger, start, outcomes.get(index));
            }
            switch (outcomes.get(index)) {
                case StartOutcome.Started(RunId run) ->
                    ends.add(new TriggerStartStore.Ended(start, Optional.of(run), ""));
                case StartOutcome.Refused(String reason) ->
                    ends.add(new TriggerStartStore.Ended(start, Optional.empty(), reason));
                case StartOutcome.Pending _ -> {}
            }
        }
        store.end(ends);
        return outcomes;
    }

    /** A submission under way, or why there is none. */
    private sealed interface Attempt {
        record Offered(ClaimedStart start, PreparedSubmission prepared, CompletableFuture<SubmitResult> answer)
                implements Attempt {}

        record Failed(StartOutcome outcome) implements Attempt {}
    }

    private Attempt begin(ClaimedStart start, Optional<Trigger> found, Map<Optional<UUID>, Optional<Access>> read) {
        if (found.isEmpty()) {
            return new Attempt.Failed(new StartOutcome.Refused("The trigger was deleted."));
        }
        Trigger trigger = found.get();
        try {
            Access by = rights.of(trigger, read.computeIfAbsent(trigger.credential(), rights::read));
            RunTemplate template = start.input()
                    .map(trigger.spec().run()::withInput)
                    .orElse(trigger.spec().run());
            PreparedSubmission prepared = submissions.one(by, trigger.key().workspace(), template);
            quota.take(
                    by,
                    trigger.key().workspace(),
                    prepared.submission().runs().getFirst().input().text().length());
            start.cancels().ifPresent(run -> cancel(new RunRef(trigger.key().workspace(), run), by, trigger));
            RequestId request = new RequestId(
                    "trigger start " + start.id(), sha256(start.id().toString()));
            RunTrigger starting =
                    new RunTrigger(trigger.key().kind().text(), trigger.key().path());
            PreparedSubmission named = prepared.as(start.id(), request).by(starting);
            return new Attempt.Offered(start, named, submissions.offer(named));
        } catch (MillraceException failure) {
            return new Attempt.Failed(failed(start, failure));
        }
    }

    private void cancel(RunRef run, Access by, Trigger trigger) {
        try {
            var _ = operations.operate(
                    run,
                    new RunOperation.Cancel(),
                    new OperationNote(
                            by.name(),
                            "The " + trigger.key().kind().text() + " "
                                    + trigger.key().path() + " starts the next run.",
                            ""));
        } catch (MillraceException failure) {
            if (failure.code() != ErrorCode.RUN_ENDED && failure.code() != ErrorCode.RUN_NOT_FOUND) {
                throw failure;
            }
        }
    }

    private StartOutcome outcome(Attempt attempt) {
        return switch (attempt) {
            case Attempt.Failed(StartOutcome outcome) -> outcome;
            case Attempt.Offered(
                    ClaimedStart start,
                    PreparedSubmission prepared,
                    CompletableFuture<SubmitResult> answer) -> {
                try {
                    yield new StartOutcome.Started(
                            submissions.settle(prepared, answer).firstRun());
                } catch (MillraceException failure) {
                    yield failed(start, failure);
                }
            }
        };
    }

    private static StartOutcome failed(ClaimedStart start, MillraceException failure) {
        boolean isTemporary = TEMPORARY.contains(failure.code());
        if (isTemporary && WallClock.now().isBefore(start.notedAt().plus(PATIENCE))) {
            log.atWarn()
                    .addKeyValue("trigger", start.trigger())
                    .addKeyValue("occurrence", start.occurrence())
                    .addKeyValue("reason", failure.getMessage())
                    .log("The run of a trigger could not be submitted and will be tried again");
            return new StartOutcome.Pending();
        }
        return new StartOutcome.Refused(String.valueOf(failure.getMessage()));
    }

    /**
     * Whether {@link #PENDING_MAX} runs of the trigger were noted that are not accepted yet, so that it is to listen no
     * further for now.
     */
    public boolean isBehind(TriggerId trigger) {
        return store.pending(trigger, PENDING_MAX) >= PENDING_MAX;
    }

    /** Turns of listeners that accept what has arrived. */
    public ListenTurns turns() {
        return turns;
    }

    /** Submits runs of many workspaces, for {@link #finishAside}. */
    public WorkspaceLines<ClaimedStart> lines() {
        return lines;
    }

    /**
     * Like {@link #finish(NotedStarts)}, but does not wait for the submissions.
     *
     * @param ended told whenever a workspace is not busy any more
     */
    public void finishAside(NotedStarts noted, Runnable ended) {
        var _ = finish(new NotedStarts(List.of(), noted.unstarted()));
        finishAside(noted.claimed(), lines, ended);
    }

    private void finishAside(List<ClaimedStart> claimed, WorkspaceLines<ClaimedStart> byWorkspace, Runnable ended) {
        if (claimed.isEmpty()) {
            return;
        }
        Map<TriggerId, Trigger> triggers = TriggerStore.findAll(
                database, claimed.stream().map(ClaimedStart::trigger).toList());
        claimed.stream()
                .filter(start -> triggers.containsKey(start.trigger()))
                .collect(Collectors.groupingBy(start ->
                        requireNonNull(triggers.get(start.trigger())).key().workspace()))
                .forEach((workspace, starts) -> byWorkspace.add(workspace, starts, ended));
    }

    /** Counts what cannot listen. */
    public ListenTroubles troubles() {
        return troubles;
    }

    /** Takes over what schedulers have left behind. Further ones of a workspace come once its line has ended. */
    private Duration heal() {
        Set<Workspace> busy = reclaimed.busy();
        int workspacesMax = RECLAIMED_WORKSPACES_MAX - busy.size();
        if (workspacesMax > 0) {
            finishAside(store.reclaim(busy, workspacesMax, RECLAIMED), reclaimed, healing::wake);
        }
        return HEALING_INTERVAL;
    }

    @Override
    public void close() {
        healing.close();
    }

    private static String name(ClaimedStart start) {
        return start.trigger() + " " + start.occurrence();
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
