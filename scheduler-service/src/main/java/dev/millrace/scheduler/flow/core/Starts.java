package dev.millrace.scheduler.flow.core;

import java.util.ArrayList;
import java.util.List;

/** What begins in a transition, held back until its end: where something around it fails meanwhile, it does not begin. */
final class Starts {
    private record Start(Place place, QueueEntry entry, StepState.Live live) {}

    private final List<Start> starts = new ArrayList<>();

    /** The step itself begins. */
    void add(Place place, QueueEntry entry) {
        starts.add(new Start(place, entry, StepState.Live.LIVE));
    }

    /** The wait before the step begins. */
    void addDelay(Place place, StartWait wait) {
        starts.add(new Start(place, wait, StepState.Live.DELAYED));
    }

    /** Begins what may begin. */
    Decision decide(FlowState state, List<StepRecord> records) {
        List<StartJob> jobs = new ArrayList<>();
        List<StartWait> waits = new ArrayList<>();
        List<StartRun> runs = new ArrayList<>();
        for (Start start : starts) {
            if (start.place().scope().mayBegin()) {
                state.start(start.place(), start.live());
                switch (start.entry()) {
                    case StartJob job -> jobs.add(job);
                    case StartWait wait -> waits.add(wait);
                    case StartRun run -> runs.add(run);
                }
            }
        }
        return Decision.goesOn(records, jobs, waits, runs);
    }
}
