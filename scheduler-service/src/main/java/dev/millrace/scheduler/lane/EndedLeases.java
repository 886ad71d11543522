package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.JobColumns;
import dev.millrace.scheduler.queue.core.JobId;
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
    /** A job that a worker held. */
    record Held(JobId job, SessionId session, LeaseToken token, String reason) {}

    /** The columns that a statement returns for such a job, see {@link #read}. */
    public static final String COLUMNS = "id, session_id, lease_token, " + JobColumns.QUEUE_TAG + " as queue_tag";

    private final Set<JobId> jobs = new HashSet<>();
    private final List<Held> heldByWorkers = new ArrayList<>();
    private final Set<String> queueTags = new HashSet<>();

    /** Adds the jobs of rows with {@link #COLUMNS} and the reason. Ignores rows without an id. */
    public void read(ResultSet rows, String reasonColumn) throws SQLException {
        while (rows.next()) {
            add(rows, reasonColumn);
        }
    }

    private void add(ResultSet row, String reasonColumn) throws SQLException {
        UUID id = row.getObject("id", UUID.class);
        if (id == null) {
            return;
        }
        JobId job = new JobId(id);
        jobs.add(job);
        queueTags.add(row.getString("queue_tag"));
        UUID session = row.getObject("session_id", UUID.class);
        if (session != null) {
            heldByWorkers.add(new Held(
                    job,
                    new SessionId(session),
                    new LeaseToken(row.getLong("lease_token")),
                    row.getString(reasonColumn)));
        }
    }

    void addAll(EndedLeases others) {
        jobs.addAll(others.jobs);
        heldByWorkers.addAll(others.heldByWorkers);
        queueTags.addAll(others.queueTags);
    }

    /** The tags under which the jobs waited. */
    public Set<String> queueTags() {
        return queueTags;
    }

    Set<JobId> jobs() {
        return jobs;
    }

    List<Held> heldByWorkers() {
        return heldByWorkers;
    }
}
