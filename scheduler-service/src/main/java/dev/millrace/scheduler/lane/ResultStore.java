package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import java.util.Optional;

/** Reads results from the history, with the connections of the pool. */
public final class ResultStore implements ResultReader {
    private static final String FIND = "select result from job_history where bucket = ? and id = ?";

    private final Database database;

    public ResultStore(Database database) {
        this.database = database;
    }

    @Override
    public Optional<String> find(JobId job) {
        return database.run(context -> context.fetch(FIND, job.bucket().value(), job.value()).stream()
                .findFirst()
                .map(row -> row.get(0, String.class)));
    }
}
