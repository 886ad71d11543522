package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The consequences of an event. All of them commit in one transaction.
 *
 * @param records history rows of steps that needed no worker, in the order in which they arose
 * @param jobs jobs to enqueue, in order
 * @param waits waits to enqueue
 * @param runs other runs to start
 * @param withdrawals queue entries to remove even if the run continues; removed before jobs and waits are added, which
 *     may have the same keys
 * @param end the outcome of the run if it ends; everything that is still live is canceled
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

    /** Returns this decision without the jobs of certain steps, which need not run. */
    public Decision withoutJobs(Set<StepKey> needless) {
        List<StartJob> left =
                jobs.stream().filter(job -> !needless.contains(job.key())).toList();
        return new Decision(records, left, waits, runs, withdrawals, end, rejection);
    }

    /** The run continues. */
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
