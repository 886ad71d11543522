package dev.millrace.scheduler.run.service;

import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.scheduler.log.LogChunk;
import dev.millrace.scheduler.log.LogProtos;
import dev.millrace.scheduler.log.LogReader;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.rpc.PacedStream;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunProtos;
import dev.millrace.scheduler.run.RunState;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.run.step.HistoryPosition;
import dev.millrace.scheduler.run.step.IterationCounts;
import dev.millrace.scheduler.run.step.SentSteps;
import dev.millrace.scheduler.run.step.Step;
import dev.millrace.scheduler.run.step.StepFolding;
import dev.millrace.scheduler.run.step.StepProtos;
import dev.millrace.scheduler.run.step.StepState;
import dev.millrace.scheduler.run.step.Steps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Follows one run for one follower: sends its current state, then the changes.
 *
 * <p>On each wake-up it reads the live jobs first and the history second, because steps move only in that direction. It
 * reads the recent history again to find rows that committed late.
 */
final class RunWatch {
    /** Overlap with the history that was read before: longer than a lane's transaction usually takes. */
    private static final Duration OVERLAP = Duration.ofMillis(100);
    /** Overlap of a healing look: longer than a lane's transaction may ever take. */
    private static final Duration HEALING_OVERLAP = Duration.ofSeconds(10);

    /** One look in so many is a healing look, even if wake-ups come without a pause. */
    private static final int LOOKS_A_HEALING = 50;

    /** Time between two looks for progress. */
    private static final Duration PROGRESS_INTERVAL = HealingPause.SHORTEST.minusMillis(50);

    private static final int HISTORY_PAGE_ROWS = 1_000;

    private final Runs runs;
    private final Steps steps;
    private final LogReader logs;
    private final RunEvents events;
    private final RunRef named;
    private final RunId run;
    private final boolean includeLogs;
    private StepFolding folding;
    private final PacedStream<WatchRunResponse> stream;

    private final SentSteps sent = new SentSteps();
    private final SentLoops loops = new SentLoops();
    private Map<JobId, Json> progress = Map.of();
    /** When the progress was read last, or the follower has begun. */
    private long progressReadNanos = System.nanoTime();

    /** When the last change was sent, or the follower has begun. */
    private long sentNanos = System.nanoTime();

    /** Whether code runs whose progress was not read at the last look. */
    private boolean isProgressDue;

    private HistoryPosition history = HistoryPosition.BEGINNING;
    private long logPosition;
    private boolean hasBegun;

    /**
     * What a follower wants beside the run.
     *
     * @param logsAfterPosition position of the last chunk that the follower has
     */
    record Wanted(boolean logs, long logsAfterPosition, StepFolding folding) {
        static Wanted of(WatchRunRequest request) {
            return new Wanted(
                    request.getIncludeLogs(),
                    request.getLogsAfterPosition(),
                    request.getFoldLoops() ? StepFolding.LOOPS : StepFolding.NONE);
        }
    }

    RunWatch(
            Runs runs,
            Steps steps,
            LogReader logs,
            RunEvents events,
            RunRef named,
            Wanted wanted,
            PacedStream<WatchRunResponse> stream) {
        this.runs = runs;
        this.steps = steps;
        this.logs = logs;
        this.events = events;
        this.named = named;
        this.run = named.id();
        this.includeLogs = wanted.logs();
        this.folding = wanted.folding();
        this.logPosition = wanted.logsAfterPosition();
        this.stream = stream;
    }

    /** Sends until the run ends. */
    void follow() throws InterruptedException {
        try (var _ = events.subscribe(run, stream::wake)) {
            hasBegun = sendFirst();
            if (folding.isFolded()) {
                Map<String, IterationCounts> counts = steps.iterations(named, "");
                loops.note(counts.keySet());
                folding = folding.knowing(counts);
            }
            boolean woken = true;
            for (int look = 1; sendChanges(woken && look % LOOKS_A_HEALING != 0 ? OVERLAP : HEALING_OVERLAP); look++) {
                woken = stream.awaitChange(
                        isProgressDue
                                ? HealingPause.SHORTEST
                                : HealingPause.after(Duration.ofNanos(System.nanoTime() - sentNanos)));
            }
            stream.awaitReady();
            send(runs.load(named));
        }
    }

    /**
     * Sends the run's current state. Returns whether the run has begun. It is a separate method, so that nothing
     * references the payloads while the follower waits.
     */
    private boolean sendFirst() throws InterruptedException {
        stream.awaitReady();
        Run first = runs.load(named);
        send(first);
        return first.state() != RunState.QUEUED;
    }

    /** Sends what has changed. Returns false once nothing more can change. */
    private boolean sendChanges(Duration overlap) throws InterruptedException {
        List<Step> live = steps.live(run, folding);
        lookForProgress(live);
        boolean isLive = live.stream().anyMatch(step -> step.id().equals(run.rootJob()));
        sendHistory(isLive ? overlap : HEALING_OVERLAP);
        for (Step step : live) {
            if (!step.isRootOfFlow() && !loops.hides(step.key())) {
                sendLive(step);
            }
        }
        if (folding.isFolded()) {
            sendLoops(isLive);
        }
        if (includeLogs) {
            sendLogs(isLive);
        }
        if (isLive && !hasBegun) {
            sendBeginning(live);
        }
        return isLive;
    }

    /** Looks seldom, and only while jobs run, so that followers of many short steps pay nothing. */
    private void lookForProgress(List<Step> live) {
        boolean isRunning = live.stream()
                .anyMatch(step -> step.state() == StepState.RUNNING
                        && (step.kind() == JobKind.SCRIPT || step.kind() == JobKind.HANDLER));
        boolean mayRead = System.nanoTime() - progressReadNanos >= PROGRESS_INTERVAL.toNanos();
        if (isRunning && mayRead) {
            progress = steps.progress(run);
            progressReadNanos = System.nanoTime();
        }
        isProgressDue = isRunning && !mayRead;
    }

    private void sendLive(Step step) throws InterruptedException {
        Optional<Json> told = Optional.ofNullable(progress.get(step.id()));
        Optional<Step> changed = sent.changeOfLive(step, told);
        if (changed.isPresent()) {
            tell(WatchRunResponse.newBuilder()
                    .setStep(StepProtos.step(changed.get(), told))
                    .build());
        }
    }

    private void sendHistory(Duration overlap) throws InterruptedException {
        HistoryPosition place = history.back(overlap);
        List<Step> page;
        do {
            page = steps.history(run, folding, place, HISTORY_PAGE_ROWS);
            for (Step row : page) {
                if (!row.isRootOfFlow() && !loops.hides(row.key())) {
                    send(sent.changeOfHistory(row));
                }
                place = HistoryPosition.of(row);
            }
        } while (page.size() == HISTORY_PAGE_ROWS);
        if (place.ended().isAfter(history.ended())) {
            history = place;
            sent.forgetEndsBefore(history.ended().minus(HEALING_OVERLAP));
        }
    }

    /** Sends the loops whose iterations have changed, with pauses, but always before the run ends. */
    private void sendLoops(boolean isLive) throws InterruptedException {
        if (loops.isEmpty() || (isLive && !loops.areDue(System.nanoTime()))) {
            return;
        }
        for (dev.millrace.proto.run.v1.Step loop : loops.changed(steps.iterations(named, ""), System.nanoTime())) {
            tell(WatchRunResponse.newBuilder().setStep(loop).build());
        }
    }

    private void sendLogs(boolean isLive) throws InterruptedException {
        if (!isLive) {
            logs.awaitStored();
        }
        for (List<LogChunk> chunks = readLogs(); !chunks.isEmpty(); chunks = readLogs()) {
            for (LogChunk chunk : chunks) {
                tell(WatchRunResponse.newBuilder()
                        .setLog(LogProtos.chunk(chunk))
                        .build());
            }
            logPosition = chunks.getLast().position();
        }
    }

    private void tell(WatchRunResponse change) throws InterruptedException {
        stream.send(change);
        sentNanos = System.nanoTime();
    }

    private List<LogChunk> readLogs() throws InterruptedException {
        stream.awaitReady();
        return logs.read(run, Optional.empty(), logPosition);
    }

    private void sendBeginning(List<Step> live) throws InterruptedException {
        hasBegun = !history.equals(HistoryPosition.BEGINNING)
                || live.stream().anyMatch(step -> step.state() == StepState.RUNNING || step.attempt() > 1);
        if (hasBegun) {
            stream.awaitReady();
            Run present = runs.load(named);
            if (!present.state().isEnd()) {
                send(present);
            }
        }
    }

    /** Sends the run with its output if there is one. Leaves out the input, which the follower can request. */
    private void send(Run present) throws InterruptedException {
        tell(WatchRunResponse.newBuilder()
                .setRun(RunProtos.run(present.withoutInput()))
                .build());
    }

    private void send(Optional<Step> step) throws InterruptedException {
        if (step.isPresent()) {
            tell(WatchRunResponse.newBuilder()
                    .setStep(folding.isFolded() ? loops.sending(step.get()) : StepProtos.step(step.get()))
                    .build());
        }
    }
}
