package dev.millrace.scheduler.eventtrigger;

import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerKindRows;
import org.jooq.DSLContext;

/**
 * Where triggers of events begin, and who reads the events of their workspaces. A trigger that is created or resumed begins
 * with the transaction of this change: what begins after that starts runs, and what ended before does not.
 */
final class EventTriggerRows implements TriggerKindRows {
    private static final String BEGIN = """
            insert into event_trigger (trigger_id, epoch, since_transaction)
            select ?, l.epoch, pg_current_xact_id()::text::bigint from event_log l where l.id = 1
            on conflict (trigger_id) do update
            set epoch = case when event_trigger.paused then excluded.epoch else event_trigger.epoch end,
                since_transaction = case when event_trigger.paused then excluded.since_transaction else event_trigger.since_transaction end,
                paused = false
            """;
    private static final String PAUSE = "update event_trigger set paused = true where trigger_id = ?";
    /** Locks the row, so that {@link EventTriggerStore#forget} waits and then sees the trigger. */
    private static final String READ_WORKSPACE = """
            insert into event_trigger_reader (workspace, position)
            select ?, l.epoch || '-' || pg_current_xact_id()::text || '-0-' || (extract(epoch from now()) * 1000)::bigint
            from event_log l where l.id = 1
            on conflict (workspace) do update set holder = event_trigger_reader.holder
            """;

    @Override
    public void changed(DSLContext dsl, Trigger trigger) {
        if (trigger.isPaused()) {
            dsl.execute(PAUSE, trigger.id().value());
            return;
        }
        dsl.execute(BEGIN, trigger.id().value());
        dsl.execute(READ_WORKSPACE, trigger.key().workspace().name());
    }
}
