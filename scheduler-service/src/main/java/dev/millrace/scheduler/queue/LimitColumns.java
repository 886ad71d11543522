package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobLimit;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the limit of a job from the columns of {@code job_queue}, both of waiting and of released jobs. */
final class LimitColumns {
    private LimitColumns() {}

    static Optional<JobLimit> read(ResultSet row) throws SQLException {
        String queue = row.getString("limit_queue");
        if (queue == null) {
            return Optional.empty();
        }
        int max = row.getInt("limit_max");
        OptionalInt jobsMax = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(max);
        int count = row.getInt("limit_count");
        Optional<JobLimit.Rate> rate = row.wasNull()
                ? Optional.empty()
                : Optional.of(new JobLimit.Rate(count, Duration.ofMillis(row.getLong("limit_millis"))));
        return Optional.of(new JobLimit(JobLimit.keyOf(queue), jobsMax, rate));
    }
}
