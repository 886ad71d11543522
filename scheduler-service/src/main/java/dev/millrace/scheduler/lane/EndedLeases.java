package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.lane.CancelJobsStatement.Canceled;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SessionId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Jobs that have left the queue without a result from a worker, and the leases that workers hold on them. */
public final class EndedLeases {
    private final List<JobId> jobs = new ArrayList<>();
    private final List<Canceled> heldByWorkers = new ArrayList<>();
    private final Set<String> limitTags = new HashSet<>();

    /**
     * Reads a row with {@code id}, {@code session_id}, {@code lease_token}, {@code limit_tag} and the reason. Ignores a
     * row without an id.
     */
    public void add(ResultSet row, String reasonColumn) throws SQLException {
        UUID id = row.getObject("id", UUID.class);
        if (id == null) {
            return;
        }
        JobId job = new JobId(id);
        jobs.add(job);
        if (JobLimit.isTag(row.getString("limit_tag"))) {
            limitTags.add(row.getString("limit_tag"));
        }
        UUID session = row.getObject("session_id", UUID.class);
        if (session != null) {
            heldByWorkers.add(new Canceled(
                    job,
                    new SessionId(session),
                    new LeaseToken(row.getLong("lease_token")),
                    row.getString(reasonColumn)));
        }
    }

    /** Tags of the limits that the jobs were under. */
    Set<String> limitTags() {
        return limitTags;
    }

    List<JobId> jobs() {
        return jobs;
    }

    List<Canceled> heldByWorkers() {
        return heldByWorkers;
    }
}
