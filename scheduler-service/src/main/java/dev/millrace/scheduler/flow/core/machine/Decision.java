package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What follows an event; all of it commits in one transaction.
 *
 * @param records rows of steps that needed no worker, in the order they came about
 * @param jobs jobs to put into the queue, in order
 * @param waits waits to put into the queue
 * @param runs runs of their own to start
 * @param withdrawals what leaves the queue beside the end of the run, before jobs and waits enter it, maybe under the same keys
 * @param end the run ends with this; what is still live is canceled
 * @param rejection why the event changed nothing
 */
public record Decision(
        List<StepRecord> records,
        List<StartJob> jobs,
        List<StartWait> waits,
        List<StartRun> runs,
        List<Withdrawal> withdrawals,
        Optional<Outcome> end,
        Optional<Rejection> rejection) {
    public Decision {
        records = List.copyOf(records);
        jobs = List.copyOf(jobs);
        waits = List.copyOf(waits);
        runs = List.copyOf(runs);
        withdrawals = List.copyOf(withdrawals);
    }

    /** The same without jobs that need not run after all. */
    public Decision withoutJobs(Set<StepKey> needless) {
        List<StartJob> left =
                jobs.stream().filter(job -> !needless.contains(job.key())).toList();
        return new Decision(records, left, waits, runs, withdrawals, end, rejection);
    }

    /** The run goes on. */
    static Decision goesOn(
            List<StepRecord> records,
            List<StartJob> jobs,
            List<StartWait> waits,
            List<StartRun> runs,
            List<Withdrawal> withdrawals) {
        return new Decision(records, jobs, waits, runs, withdrawals, Optional.empty(), Optional.empty());
    }

    static Decision ends(List<StepRecord> records, List<Withdrawal> withdrawals, Outcome outcome) {
        return new Decision(
                records, List.of(), List.of(), List.of(), withdrawals, Optional.of(outcome), Optional.empty());
    }

    static Decision rejected(Rejection rejection) {
        return new Decision(
                List.of(), List.of(), List.of(), List.of(), List.of(), Optional.empty(), Optional.of(rejection));
    }
}
