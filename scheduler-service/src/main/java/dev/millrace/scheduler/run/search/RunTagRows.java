package dev.millrace.scheduler.run.search;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.workspace.core.WorkspaceTag;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.Select;

/**
 * Conditions that a job of a run has a tag. Each compares at most {@link #JOBS_MAX} live and as many ended jobs, so that a
 * run with a large loop costs no more than that.
 */
final class RunTagRows {
    /** Maximum number of jobs whose tags are compared. */
    static final int JOBS_MAX = 10_000;

    private RunTagRows() {}

    /** Whether a job of the run, whether live or ended, has a tag. */
    static Condition liveRunHas(Field<UUID> run, Workspace workspace, String tag) {
        var job = JOB_QUEUE.as("tagged_live");
        Select<Record1<String>> live = select(
                        coalesce(job.OWN_TAG, job.RELEASED_TAG, job.TAG).as("tag"))
                .from(job)
                .where(job.RUN_ID.eq(run))
                .limit(inline(JOBS_MAX));
        return has(live, workspace, tag).or(endedRunHas(run, workspace, tag));
    }

    /** Whether an ended job of the run has a tag. An order would have the database read all jobs of the run. */
    static Condition endedRunHas(Field<UUID> run, Workspace workspace, String tag) {
        var job = JOB_HISTORY.as("tagged");
        return has(
                select(job.TAG.as("tag")).from(job).where(job.RUN_ID.eq(run)).limit(inline(JOBS_MAX)), workspace, tag);
    }

    private static Condition has(Select<Record1<String>> tags, Workspace workspace, String tag) {
        Field<String> found = field(name("tags", "tag"), String.class);
        return exists(selectOne().from(tags.asTable("tags")).where(found.in(tag, WorkspaceTag.of(workspace, tag))));
    }
}
