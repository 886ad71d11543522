package dev.millrace.scheduler.signal;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.audit.LaneAudit;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.StartWait;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LaneContext;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.lane.RunRequest;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.OpenWait;
import dev.millrace.scheduler.signal.core.Reception;
import dev.millrace.scheduler.signal.core.RunSignal;
import dev.millrace.scheduler.signal.core.RunWaits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The waits of steps, and the signals that end them, as a feature of the lane. Signals and the ends of waits advance
 * the version of their flow, and this version fences what the feature has read.
 */
public final class WaitFeature implements LaneFeature {
    /** Tag of waits. No worker serves it. */
    private static final String WAIT_TAG = "wait";

    private final FlushPlan plan;
    private final LaneContext context;
    private final LaneWaitStore store;
    private final Map<RunId, RunWaits> runs = new HashMap<>();
    /** Signals of this flush that were received before. */
    private final Set<RunRequest> repeated = new HashSet<>();

    private final Deque<EndedWait> ready = new ArrayDeque<>(0);

    public WaitFeature(FlushPlan plan) {
        this.plan = plan;
        this.context = plan.context();
        this.store = new LaneWaitStore(plan.store());
    }

    @Override
    public void decided(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew) throws DatabaseLost {
        QueuedJob root = flow.root();
        for (StartWait wait : decision.waits()) {
            switch (wait.until()) {
                case StartWait.Until.Passed(Duration time) ->
                    begin(root, wait, JobState.DELAYED, WaitInput.ofTime(time), Optional.of(plus(time, delay)));
                case StartWait.Until.Resumed _ ->
                    begin(new BegunWait(
                            job(root, wait, "resume", ""),
                            Json.EMPTY_OBJECT,
                            JobState.HELD,
                            Optional.empty(),
                            Optional.empty()));
                case StartWait.Until.Reached reached ->
                    begin(new BegunWait(
                            job(root, wait, "until", ""),
                            WaitInput.ofMoment(reached.moment()),
                            JobState.DELAYED,
                            Optional.empty(),
                            Optional.of(reached.moment())));
                case StartWait.Until.Events events -> beginEvents(root, wait, events, delay, isNew);
                case StartWait.Until.RunEnded _ -> {}
            }
        }
    }

    private void begin(QueuedJob root, StartWait wait, JobState state, Json input, Optional<Duration> time) {
        begin(new BegunWait(job(root, wait, "delay", ""), input, state, time, Optional.empty()));
    }

    /**
     * Begins a wait that another feature ends.
     *
     * @param target what the wait is for, in the terms of that feature
     * @return the id of the queue row of the step
     */
    public JobId begin(QueuedJob root, StepKey step, JobKind kind, String target, String name, Json input) {
        JobId id = context.ids().nextJob(root.run());
        begin(new BegunWait(
                job(id, root, step, kind, target, name),
                input,
                JobState.SUSPENDED,
                Optional.empty(),
                Optional.empty()));
        return id;
    }

    /** Ends a wait after the current command has been planned. */
    public void end(EndedWait wait) {
        ready.add(wait);
    }

    private void beginEvents(
            QueuedJob root, StartWait wait, StartWait.Until.Events events, Optional<Duration> delay, boolean isNew)
            throws DatabaseLost {
        QueuedJob job = job(root, wait, events.kind().name().toLowerCase(Locale.ROOT), events.name());
        begin(new BegunWait(
                job,
                WaitInput.ofEvents(events),
                JobState.SUSPENDED,
                events.timeLimit().map(limit -> plus(limit, delay)),
                Optional.empty()));
        if (isNew) {
            runs.putIfAbsent(root.run(), new RunWaits(List.of(), List.of()));
        }
        RunWaits.Begun begun = waitsOf(root.run()).begin(new OpenWait(job.id(), job.stepKey(), WaitInput.spec(events)));
        for (RunSignal taken : begun.taken()) {
            plan.add(TakeSignalsStatement.SECTION, new TakenSignal(root.run(), taken.id(), job.id()));
        }
        begun.end().ifPresent(outcome -> ready.add(new EndedWait(job.id(), root.run(), job.stepKey(), outcome)));
    }

    private void begin(BegunWait wait) {
        plan.add(BeginWaitsStatement.SECTION, wait);
        plan.noteQueued(wait.job());
    }

    @Override
    public void prefetch(List<LaneCommand> commands) throws DatabaseLost {
        List<LaneCommand> waitCommands = commands.stream()
                .filter(command -> command instanceof ReceiveSignal || command instanceof EndDueWait)
                .toList();
        if (!waitCommands.isEmpty()) {
            // Load the flows first: if their versions still hold at the commit, so does everything read after them.
            plan.flows().load(waitCommands);
            load(waitCommands);
        }
    }

    private void load(List<LaneCommand> items) throws DatabaseLost {
        Set<RunId> asked = new LinkedHashSet<>();
        List<RunRequest> requests = new ArrayList<>();
        for (LaneCommand item : items) {
            if (item instanceof ReceiveSignal(RunId run, RunSignal signal, var _, var _)) {
                asked.add(run);
                requests.add(new RunRequest(run, signal.requestId()));
            } else if (item instanceof EndDueWait(DueWait due, var _) && due.forEvents()) {
                asked.add(due.run());
            }
        }
        if (!asked.isEmpty()) {
            store.load(asked).forEach(runs::putIfAbsent);
        }
        if (!requests.isEmpty()) {
            repeated.addAll(store.known(requests));
        }
    }

    void signal(ReceiveSignal command) throws DatabaseLost {
        RunId run = command.run();
        SignalResult result;
        Optional<LiveFlow> flow =
                plan.ends(run) ? Optional.empty() : plan.flows().findFlow(run);
        if (flow.isPresent()) {
            Reception reception = receive(run, command.signal());
            result = new SignalResult.Received(reception);
            if (reception.isAccepted()) {
                LaneAudit.add(plan, command.call());
                plan.flows().touch(flow.get());
            }
        } else if (isRepeated(run, command.signal())) {
            result = new SignalResult.Received(new Reception.Repeated());
        } else if (plan.ends(run) || plan.store().hasEnded(run)) {
            result = new SignalResult.RunEnded();
        } else {
            result = plan.store().isLive(run) ? new SignalResult.NoFlow() : new SignalResult.UnknownRun();
        }
        plan.afterCommit(() -> command.answer().complete(result));
    }

    /** Whether the signal was received before, by an earlier flush or by this one. */
    private boolean isRepeated(RunId run, RunSignal signal) throws DatabaseLost {
        return repeated.contains(new RunRequest(run, signal.requestId()))
                || waitsOf(run).hasReceived(signal.requestId());
    }

    /** Receives a signal for which {@link #prefetch} has loaded the waits. */
    private Reception receive(RunId run, RunSignal signal) throws DatabaseLost {
        if (isRepeated(run, signal)) {
            return new Reception.Repeated();
        }
        Reception reception = waitsOf(run).receive(signal);
        switch (reception) {
            case Reception.Kept _ ->
                plan.add(RecordSignalsStatement.SECTION, new ReceivedSignal(run, signal, Optional.empty()));
            case Reception.Counted(OpenWait wait) ->
                plan.add(RecordSignalsStatement.SECTION, new ReceivedSignal(run, signal, Optional.of(wait.id())));
            case Reception.Ended(OpenWait wait, Outcome outcome) -> {
                plan.add(RecordSignalsStatement.SECTION, new ReceivedSignal(run, signal, Optional.of(wait.id())));
                ready.add(new EndedWait(wait.id(), run, wait.stepKey(), outcome));
            }
            case Reception.Repeated _,
                    Reception.NobodyWaits _,
                    Reception.Begun _,
                    Reception.WrongKind _,
                    Reception.TooMany _ -> {}
        }
        return reception;
    }

    void due(EndDueWait command) throws DatabaseLost {
        DueWait due = command.found();
        if (!plan.ends(due.run()) && plan.flows().isLive(due.run(), new StepKey(due.stepKey()))) {
            Optional<Outcome> end = due.forEvents()
                    ? waitsOf(due.run()).timeOut(due.id())
                    : Optional.of(new Outcome.Succeeded(Json.NULL));
            end.ifPresent(outcome -> ready.add(new EndedWait(due.id(), due.run(), due.stepKey(), outcome)));
        }
        plan.afterCommit(() -> command.done().complete(null));
    }

    /** Ends waits. This may begin and end further waits. */
    @Override
    public void planned() throws DatabaseLost {
        for (EndedWait wait = ready.poll(); wait != null; wait = ready.poll()) {
            if (plan.advance(wait.run(), new FlowEvent.StepEnded(new StepKey(wait.stepKey()), wait.outcome()))) {
                plan.add(EndWaitsStatement.SECTION, wait);
            }
        }
    }

    /** The waits that this flush begins, for features that come after this one. */
    public List<BegunWait> begun() {
        return plan.rows(BeginWaitsStatement.SECTION);
    }

    @Override
    public void written(Effects effects) {
        for (BegunWait wait : plan.rows(BeginWaitsStatement.SECTION)) {
            effects.changed(wait.job().run());
            if (wait.isTimed()) {
                plan.publish(new TimedWaitBegan());
            }
        }
        plan.rows(EndWaitsStatement.SECTION).forEach(wait -> effects.changed(wait.run()));
    }

    private RunWaits waitsOf(RunId run) throws DatabaseLost {
        RunWaits known = runs.get(run);
        if (known == null) {
            known = requireNonNull(store.load(Set.of(run)).get(run), "waits");
            runs.put(run, known);
        }
        return known;
    }

    private QueuedJob job(QueuedJob root, StartWait wait, String target, String name) {
        return job(context.ids().nextJob(root.run()), root, wait.key(), JobKind.WAIT, target, name);
    }

    private static QueuedJob job(JobId id, QueuedJob root, StepKey step, JobKind kind, String target, String name) {
        JobOptions options =
                new JobOptions(WAIT_TAG, root.options().priority(), JobOptions.TIMEOUT_LIMIT, RetryPolicy.NONE);
        return new QueuedJob(
                id,
                root.run(),
                root.workspace(),
                kind,
                target,
                name,
                root.folder(),
                step.text(),
                options,
                root.orderKey(),
                1,
                Losses.NONE,
                root.traceparent(),
                Optional.empty());
    }

    private static Duration plus(Duration time, Optional<Duration> delay) {
        return delay.filter(Duration::isPositive).map(time::plus).orElse(time);
    }
}
