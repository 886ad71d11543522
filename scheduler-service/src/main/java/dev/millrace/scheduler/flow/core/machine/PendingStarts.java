package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.StepState;
import dev.millrace.scheduler.flow.core.state.Weights;
import dev.millrace.scheduler.queue.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The steps that begin in a transition. They are held back until its end, because they do not begin if something around
 * them fails meanwhile.
 */
final class PendingStarts {
    private record Start(Place place, QueueEntry entry) {}

    private record Limit(Place container, StartWait timer) {}

    private final List<Start> starts = new ArrayList<>();
    private final List<Limit> limits = new ArrayList<>();
    private long weight;

    /** Adds a step, or the wait before it. */
    void add(Place place, QueueEntry entry) {
        starts.add(new Start(place, entry));
        weight += Weights.of(inputOf(entry));
    }

    /** Estimates the memory of all inputs, in bytes. */
    long weight() {
        return weight;
    }

    private static Json inputOf(QueueEntry entry) {
        return switch (entry) {
            case StartJob job -> job.input();
            case StartRun run -> run.input();
            case StartWait wait ->
                wait.until() instanceof StartWait.Until.RunEnded awaited ? awaited.input() : Json.NULL;
        };
    }

    /** Returns whether the step is to begin. Takes time proportional to the number of pending starts. */
    boolean has(Place place) {
        return starts.stream()
                .anyMatch(start -> start.place().step() == place.step()
                        && start.place().scope().is(place.scope()));
    }

    /** Starts the time limit of a container. */
    void addLimit(Place container, StartWait wait) {
        limits.add(new Limit(container, wait));
    }

    /** Begins the steps that may still begin. */
    Decision decide(FlowState state, List<StepRecord> records, Supplier<List<Withdrawal>> withdrawals) {
        List<StartJob> jobs = new ArrayList<>();
        List<StartWait> waits = new ArrayList<>();
        List<StartRun> runs = new ArrayList<>();
        for (Start start : starts) {
            if (start.place().scope().mayBegin()) {
                state.start(start.place(), start.entry().key());
                switch (start.entry()) {
                    case StartJob job -> jobs.add(job);
                    case StartWait wait -> waits.add(wait);
                    case StartRun run -> runs.add(run);
                }
            }
        }
        for (Limit limit : limits) {
            Place container = limit.container();
            boolean goesOn = container.scope().mayBegin() && !(container.state() instanceof StepState.Ended);
            if (goesOn && !state.limits().has(container.key())) {
                state.limits().begin(container.key());
                waits.add(limit.timer());
            }
        }
        return Decision.goesOn(records, jobs, waits, runs, withdrawals.get());
    }
}
