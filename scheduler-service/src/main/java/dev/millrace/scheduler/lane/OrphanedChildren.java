package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.NamedCodes;

/** What statements share that take waits for runs out of the queue, before those runs have ended. */
public final class OrphanedChildren {
    /** Notes that nobody waits any more for the runs for which rows of {@code gone} stood: they are to be canceled. */
    public static final String NOTE = NamedCodes.expand("""
            abandoned as (
                insert into child_note (child_run_id, kind, parent_run_id, step_key, wait_id)
                select target::uuid, {ChildNoteKind.ABANDONED}, run_id, step_key, id from gone where kind = {JobKind.CHILD_RUN} and target <> ''
                on conflict do nothing
            )""");

    private OrphanedChildren() {}
}
