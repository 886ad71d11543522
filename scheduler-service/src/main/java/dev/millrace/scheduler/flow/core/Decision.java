package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * What follows an event; all of it commits in one transaction.
 *
 * @param records rows of steps that needed no worker, in the order they came about
 * @param jobs jobs to put into the queue, in order
 * @param end the run ends with this; what is still live is cancelled
 * @param rejection why the event changed nothing
 */
public record Decision(
        List<StepRecord> records, List<StartJob> jobs, Optional<Outcome> end, Optional<Rejection> rejection) {
    public Decision {
        records = List.copyOf(records);
        jobs = List.copyOf(jobs);
    }

    static Decision of(List<StepRecord> records, List<StartJob> jobs, Optional<Outcome> end) {
        return new Decision(records, jobs, end, Optional.empty());
    }

    static Decision rejected(Rejection rejection) {
        return new Decision(List.of(), List.of(), Optional.empty(), Optional.of(rejection));
    }
}
