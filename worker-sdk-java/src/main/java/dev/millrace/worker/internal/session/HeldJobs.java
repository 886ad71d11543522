package dev.millrace.worker.internal.session;

import dev.millrace.proto.worker.v1.HeldLease;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Leases that the worker holds: running, waiting, or ended without an acknowledgement. */
final class HeldJobs {
    private final Map<LeaseKey, LeasedJob> jobs = new ConcurrentHashMap<>();

    /** Returns false if the lease is held already, because its message arrived twice. */
    boolean add(LeasedJob job) {
        return jobs.putIfAbsent(job.key(), job) == null;
    }

    @Nullable LeasedJob remove(LeaseKey key) {
        return jobs.remove(key);
    }

    int count() {
        return jobs.size();
    }

    Collection<LeasedJob> all() {
        return List.copyOf(jobs.values());
    }

    List<HeldLease> leases() {
        return jobs.keySet().stream()
                .map(key -> HeldLease.newBuilder()
                        .setJobId(key.jobId())
                        .setLeaseToken(key.token())
                        .build())
                .toList();
    }
}
