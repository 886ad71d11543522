package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Reads a job from the columns of {@code job_queue}. */
public final class JobColumns {
    /** Tag of a flow that ended as it was submitted, and so never entered the queue. */
    private static final String FLOW_TAG = "flow";

    /** The column with the key of the queue in which a run waits for its admission, or which admitted the run. */
    public static final String ADMISSION_QUEUE = "limit_key";

    /** The tag under which a row waits or has waited: the tag of its limit's queue, or its own. */
    public static final String QUEUE_TAG = "coalesce(limit_queue, tag)";

    /** The folder for which a row's job acts, as SQL: that of its run's name, which the root row has itself. */
    public static final String FOLDER = "case when step_key <> '' then folder else " + folderOf("name") + " end";

    private JobColumns() {}

    /** The folder of a path, as SQL. */
    private static String folderOf(String path) {
        return "case when strpos(" + path + ", '/') > 0 then split_part(" + path + ", '/', 1) else '' end";
    }

    /** The options that are kept with a run, from the columns {@link KeptOptionColumn#SELECTED}. */
    public static KeptOptions options(ResultSet row) throws SQLException {
        return KeptOptionColumn.read(column -> row.getString(column.columnName()));
    }

    /** The root job of a run that has ended, from the columns of {@code job_history} and the options of the run. */
    public static QueuedJob readRoot(ResultSet row, KeptOptions options) throws SQLException {
        RunId run = new RunId(row.getObject("run_id", UUID.class));
        long timeoutMillis = row.getLong("timeout_millis");
        return new QueuedJob(
                run.rootJob(),
                run,
                Workspace.of(row.getString("workspace")),
                JobKind.ofCode(row.getInt("kind")),
                row.getString("target"),
                row.getString("name"),
                new JobOptions(
                        row.getString("tag").isEmpty() ? FLOW_TAG : row.getString("tag"),
                        row.getInt("priority"),
                        timeoutMillis == 0 ? JobOptions.TIMEOUT_LIMIT : Duration.ofMillis(timeoutMillis),
                        RetryColumn.read(row.getString("retry")),
                        options.limit()),
                run.orderKey(),
                row.getInt("attempt"),
                Losses.NONE,
                row.getString("traceparent"));
    }

    public static QueuedJob read(ResultSet row) throws SQLException {
        String name = row.getString("name");
        String stepKey = row.getString("step_key");
        return new QueuedJob(
                new JobId(row.getObject("id", UUID.class)),
                new RunId(row.getObject("run_id", UUID.class)),
                Workspace.of(row.getString("workspace")),
                JobKind.ofCode(row.getInt("kind")),
                row.getString("target"),
                name,
                stepKey.isEmpty() ? Folder.of(name) : row.getString("folder"),
                stepKey,
                new JobOptions(
                        ownTag(row),
                        row.getInt("priority"),
                        Duration.ofMillis(row.getLong("timeout_millis")),
                        RetryColumn.read(row.getString("retry")),
                        LimitColumns.read(row)),
                row.getLong("order_key"),
                row.getInt("attempt"),
                new Losses(row.getInt("losses"), row.getInt("begun_losses")),
                row.getString("traceparent"),
                group(row));
    }

    /** The tag that the job requested, whichever tag it waits under. */
    private static String ownTag(ResultSet row) throws SQLException {
        String ofGroup = row.getString("own_tag");
        String ofLimit = row.getString("released_tag");
        return ofGroup != null ? ofGroup : Objects.requireNonNullElse(ofLimit, row.getString("tag"));
    }

    private static Optional<JobGroup> group(ResultSet row) throws SQLException {
        UUID id = row.getObject("group_id", UUID.class);
        return id == null
                ? Optional.empty()
                : Optional.of(new JobGroup(
                        id, row.getString("own_tag") == null ? Optional.empty() : Optional.of(row.getString("tag"))));
    }
}
