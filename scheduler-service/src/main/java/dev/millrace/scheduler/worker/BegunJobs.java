package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.QueuedJob;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Determines which jobs of a lost worker had begun, or may have begun, from its messages. */
final class BegunJobs {
    private static final Comparator<LeasedJob> IN_ORDER = Comparator.comparing(
                    (LeasedJob lease) -> lease.job().order())
            .thenComparing(lease -> lease.job().id().value());

    private BegunJobs() {}

    /**
     * Returns the jobs that the worker reported to have begun, and the jobs that may have begun. In each slot group,
     * the latter are the first jobs in order, as many as had free slots. The reason is that a worker reports a job some
     * milliseconds after its beginning, and may be lost before.
     *
     * @param told tests whether the worker reported that a job had begun
     * @param slots maximum number of jobs that a group may run at the same time
     */
    static Set<JobId> of(Collection<LeasedJob> leases, Predicate<JobId> told, ToIntFunction<String> slots) {
        Map<String, List<LeasedJob>> groups = leases.stream()
                .collect(Collectors.groupingBy(lease -> lease.slot().group()));
        Set<JobId> begun = new HashSet<>();
        groups.forEach((group, held) -> {
            held.stream().map(LeasedJob::job).map(QueuedJob::id).filter(told).forEach(begun::add);
            long free = slots.applyAsInt(group)
                    - held.stream().filter(lease -> told.test(lease.job().id())).count();
            held.stream()
                    .filter(lease -> !told.test(lease.job().id()))
                    .sorted(IN_ORDER)
                    .limit(Math.max(0, free))
                    .forEach(lease -> begun.add(lease.job().id()));
        });
        return begun;
    }
}
