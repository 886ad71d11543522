package dev.millrace.flowtest;

import dev.millrace.scheduler.config.JobConfig;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.FlowMachine;
import dev.millrace.scheduler.flow.core.machine.RunEnding;
import dev.millrace.scheduler.flow.core.machine.StartJob;
import dev.millrace.scheduler.flow.core.machine.StartRun;
import dev.millrace.scheduler.flow.core.machine.StartWait;
import dev.millrace.scheduler.flow.core.machine.StepRecord;
import dev.millrace.scheduler.flow.core.machine.Withdrawal;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.AttemptDecision;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.signal.WaitInput;
import dev.millrace.scheduler.signal.core.OpenWait;
import dev.millrace.worker.internal.session.JobErrors;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of a simulation: carries out the decisions of {@link FlowMachine}, as a lane of the scheduler does. */
final class SimulatedRun {
    private final Simulation simulation;
    private final FlowUnderTest flow;
    private final Optional<Parent> parent;
    private final boolean isFailureRun;
    private final RunId id;
    private final FlowState state;
    private final SimulatedWaits waits;
    private final Map<StepKey, Live> live = new LinkedHashMap<>();
    private final Map<String, EndStatus> steps = new LinkedHashMap<>();
    private Optional<Outcome> end = Optional.empty();

    /**
     * The run that waits for this one.
     *
     * @param depth number of runs that wait above this one
     */
    record Parent(SimulatedRun run, StepKey step, JobId id, int depth) {}

    /**
     * What is in progress at a step.
     *
     * @param waitsFor in words; empty for code
     * @param child the run that it waits for
     */
    private record Live(JobId id, String waitsFor, Optional<SimulatedRun> child) {}

    SimulatedRun(Simulation simulation, FlowUnderTest flow, Json input, Optional<Parent> parent, boolean isFailureRun) {
        this.simulation = simulation;
        this.flow = flow;
        this.parent = parent;
        this.isFailureRun = isFailureRun;
        this.id = simulation.ids().nextRun();
        this.state = FlowState.fresh(flow.model(), id, input);
        this.state.use(simulation.ids());
        this.waits = new SimulatedWaits(id, simulation.ids());
    }

    Optional<Outcome> end() {
        return end;
    }

    Map<String, EndStatus> steps() {
        return steps;
    }

    SimulatedWaits waits() {
        return waits;
    }

    /** What the run waits for, a sentence for each step. */
    List<String> openSteps() {
        return live.entrySet().stream()
                .filter(step -> !step.getValue().waitsFor().isEmpty())
                .map(step -> "Step \"" + step.getKey() + "\" of the flow \"" + flow.path() + "\" waits for "
                        + step.getValue().waitsFor() + ".")
                .toList();
    }

    void begin() {
        flow.model()
                .definition()
                .options()
                .timeout()
                .ifPresent(limit -> simulation.time().after(limit, this::expire));
        follow(FlowMachine.reopen(flow.model(), state));
    }

    private void expire() {
        if (end.isEmpty()) {
            follow(FlowMachine.fail(flow.model(), state, RunEnding.timedOut(flow.model())));
        }
    }

    void receive(SentSignal signal) {
        if (end.isEmpty()) {
            waits.receive(signal)
                    .ifPresent(ended -> ended(
                            new StepKey(ended.waiting().stepKey()),
                            ended.waiting().id(),
                            ended.outcome()));
        }
    }

    /** Ends a step, unless it has ended before. */
    private void ended(StepKey key, JobId job, Outcome outcome) {
        Live step = live.get(key);
        if (end.isEmpty() && step != null && step.id().equals(job)) {
            live.remove(key);
            note(key, outcome);
            follow(FlowMachine.decide(flow.model(), state, new FlowEvent.StepEnded(key, outcome)));
        }
    }

    private void note(StepKey key, Outcome outcome) {
        if (key.mark().isEmpty()) {
            steps.put(key.text(), EndStatus.of(outcome));
        }
    }

    private void follow(Decision decision) {
        for (StepRecord step : decision.records()) {
            if (step.kind() != JobKind.RESET) {
                note(step.key(), step.outcome());
            }
        }
        for (Withdrawal gone : decision.withdrawals()) {
            leave(gone.key());
            gone.reason().ifPresent(reason -> note(gone.key(), new Outcome.Canceled(reason)));
        }
        decision.waits().forEach(this::begin);
        decision.runs().forEach(this::begin);
        decision.jobs().forEach(this::begin);
        if (decision.end().isPresent() && end.isEmpty()) {
            finish(decision.end().get());
        }
    }

    private void finish(Outcome outcome) {
        end = Optional.of(outcome);
        List.copyOf(live.keySet()).forEach(key -> {
            leave(key);
            note(key, new Outcome.Canceled(JobError.permanent("RunEnded", "The run ended without it.")));
        });
        if (!isFailureRun) {
            RunEnding.failureRun(flow.model(), id, state.input(), outcome)
                    .ifPresent(next -> simulation.start(next.flow(), next.input(), true));
        }
        parent.ifPresent(above -> simulation
                .time()
                .after(
                        Duration.ZERO,
                        () -> above.run()
                                .ended(
                                        above.step(),
                                        above.id(),
                                        above.run().flow.model().endOf(above.step(), id, outcome))));
    }

    /** Removes what is in progress at a step, and cancels the run that it waits for. */
    private void leave(StepKey key) {
        Live gone = live.remove(key);
        if (gone != null) {
            waits.timeOut(gone.id());
            gone.child().ifPresent(SimulatedRun::cancel);
        }
    }

    private void cancel() {
        if (end.isEmpty()) {
            JobError reason = JobError.permanent("Canceled", "The step that waited for the run has ended.");
            follow(FlowMachine.decide(flow.model(), state, new FlowEvent.CancelRequested(reason)));
        }
    }

    private void begin(StartRun start) {
        JobId job = simulation.ids().nextJob(id);
        live.put(start.key(), new Live(job, "", Optional.empty()));
        if (!(isFailureRun && start.isFailureFlow())) {
            simulation.start(start.flow(), start.input(), start.isFailureFlow());
        }
        Outcome outcome = new Outcome.Succeeded(
                new Json("{\"run_id\":\"" + simulation.ids().nextRun() + "\"}"));
        simulation.time().after(Duration.ZERO, () -> ended(start.key(), job, outcome));
    }

    private void begin(StartWait wait) {
        JobId job = simulation.ids().nextJob(id);
        StepKey key = wait.key();
        Outcome passed = new Outcome.Succeeded(Json.NULL);
        switch (wait.until()) {
            case StartWait.Until.Passed(Duration delay) -> {
                live.put(key, new Live(job, "", Optional.empty()));
                simulation.time().after(delay, () -> ended(key, job, passed));
            }
            case StartWait.Until.Reached reached -> {
                live.put(key, new Live(job, "", Optional.empty()));
                simulation.time().at(reached.moment(), () -> ended(key, job, passed));
            }
            case StartWait.Until.Resumed _ -> live.put(key, new Live(job, "its resumption", Optional.empty()));
            case StartWait.Until.RunEnded(String path, Json input) -> await(key, job, path, input);
            case StartWait.Until.Events events -> await(key, job, events);
        }
    }

    private void await(StepKey key, JobId job, String path, Json input) {
        int depth = 1 + parent.map(Parent::depth).orElse(0);
        if (depth > FlowLimits.CHILD_RUN_DEPTH_MAX) {
            live.put(key, new Live(job, "", Optional.empty()));
            simulation.time().after(Duration.ZERO, () -> ended(key, job, RunEnding.tooDeep()));
            return;
        }
        // The run begins after the decision that starts it has been carried out.
        live.put(key, new Live(job, "", Optional.empty()));
        simulation.time().after(Duration.ZERO, () -> {
            Live step = live.get(key);
            if (end.isEmpty() && step != null && step.id().equals(job)) {
                SimulatedRun child = simulation.startAwaited(path, input, new Parent(this, key, job, depth));
                live.put(key, new Live(job, "the end of a run of \"" + path + "\"", Optional.of(child)));
            }
        });
    }

    private void await(StepKey key, JobId job, StartWait.Until.Events events) {
        String what = switch (events.kind()) {
            case SIGNAL -> "the signal \"" + events.name() + "\"";
            case APPROVAL -> "an approval";
            case HUMAN -> "the result of a person";
        };
        String count = events.required() == 1 ? "" : " (" + events.required() + " are required)";
        live.put(key, new Live(job, what + count, Optional.empty()));
        Optional<Outcome> known = waits.begin(new OpenWait(job, key.text(), WaitInput.spec(events)));
        known.ifPresent(outcome -> simulation.time().after(Duration.ZERO, () -> ended(key, job, outcome)));
        events.timeLimit()
                .ifPresent(limit -> simulation
                        .time()
                        .after(limit, () -> waits.timeOut(job).ifPresent(outcome -> ended(key, job, outcome))));
    }

    private void begin(StartJob job) {
        JobId queued = job.id().orElseGet(() -> simulation.ids().nextJob(id));
        live.put(job.key(), new Live(queued, "", Optional.empty()));
        simulation.time().after(Duration.ZERO, () -> attempt(job, queued, job.attempt()));
    }

    private void attempt(StartJob job, JobId queued, int number) {
        Live step = live.get(job.key());
        if (end.isPresent() || step == null || !step.id().equals(queued)) {
            return;
        }
        Fake.Answer answer = simulation.fakes().call(id, job, number);
        Duration timeout = job.options().timeout();
        boolean isLate = answer.takes().compareTo(timeout) > 0;
        AttemptResult result = isLate ? new AttemptResult.Failed(timedOut(timeout)) : answer.result();
        simulation.time().after(isLate ? timeout : answer.takes(), () -> attempted(job, queued, number, result));
    }

    private void attempted(StartJob job, JobId queued, int number, AttemptResult result) {
        QueuedJob leased = new QueuedJob(
                queued,
                id,
                Workspace.DEFAULT,
                JobKind.of(job.target()),
                job.target().key(),
                job.name(),
                Folder.NONE,
                job.key().text(),
                job.options(),
                id.orderKey(),
                number,
                Losses.NONE,
                "",
                Optional.empty());
        AttemptDecision decision = AttemptDecision.decide(
                leased,
                result,
                JobConfig.LOSSES_MAX_DEFAULT,
                simulation.random().nextDouble());
        switch (decision) {
            case AttemptDecision.End(Outcome outcome) -> ended(job.key(), queued, outcome);
            case AttemptDecision.Requeue again ->
                simulation.time().after(again.delay(), () -> attempt(job, queued, number + 1));
        }
    }

    /** The error that workers give an attempt that runs too long. */
    private static JobError timedOut(Duration timeout) {
        var told = JobErrors.timedOut(timeout);
        return new JobError(told.getName(), told.getMessage(), "", told.getRetryable());
    }
}
