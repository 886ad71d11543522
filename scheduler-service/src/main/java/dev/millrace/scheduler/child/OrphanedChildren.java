package dev.millrace.scheduler.child;

import dev.millrace.scheduler.queue.core.NamedCodes;

/**
 * SQL shared by the statements that remove steps from the queue that wait for child runs, before these runs have ended.
 */
public final class OrphanedChildren {
    /** Notes the child runs of the rows of {@code gone} as abandoned, so that they are canceled. */
    public static final String NOTE = NamedCodes.expand("""
            abandoned as (
                insert into child_note (child_run_id, kind, parent_run_id, step_key, wait_id)
                select target::uuid, {ChildNoteKind.ABANDONED}, run_id, step_key, id from gone where kind = {JobKind.CHILD_RUN} and target <> ''
                on conflict do nothing
            )""");

    private OrphanedChildren() {}
}
