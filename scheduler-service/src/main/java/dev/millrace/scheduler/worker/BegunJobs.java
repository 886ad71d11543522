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

/** Tells which jobs of a lost worker had begun, or may have, from what it had said until then. */
final class BegunJobs {
    private static final Comparator<LeasedJob> IN_ORDER = Comparator.comparing(
                    (LeasedJob lease) -> lease.job().order())
            .thenComparing(lease -> lease.job().id().value());

    private BegunJobs() {}

    /**
     * The jobs that the worker had told to have begun; and as many others of each slot group as it had slots for besides, the first in order: a worker
     * tells of a job some milliseconds after its begin, and may be lost before.
     *
     * @param slots most jobs that a group may run at once
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
