package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.NamedCodes;
import java.sql.SQLException;
import java.util.List;

/**
 * Notes messages for the handlers that their events have in this moment; a message without any leaves nothing. Each handler
 * gets a copy, so messages that are too large for that leave only the reason.
 */
record NoteMessagesStatement(List<PublishedMessage> messages) implements LaneStatement {
    static final Section<PublishedMessage, NoteMessagesStatement> SECTION =
            new Section<>(FlushOrder.NOTE_MESSAGES, NoteMessagesStatement::new);

    /** Maximum size of a message that handlers get, in bytes. */
    static final int MESSAGE_BYTES_MAX = 256 * 1024;

    private static final String TOO_LARGE = "The message has %s bytes, and handlers get at most " + MESSAGE_BYTES_MAX
            + ": let it name where its data are.";

    private static final RowsSql SQL =
            new RowsSql(NamedCodes.expand("""
            with noted as (
                insert into event_execution (handler_id, message_id, workspace, event, run_id, run_name, state, message, claimed_until,
                    ended_at, reason)
                select h.id, m.id, m.workspace, m.event, m.run_id, m.run_name,
                    case when s.fits then {ExecutionState.NOTED} else {ExecutionState.FAILED} end,
                    case when s.fits then m.message end, case when s.fits then now() end, case when not s.fits then now() end,
                    case when s.fits then '' else format('%2$s', octet_length(m.message)) end
                from $rows(id uuid, run_id uuid, workspace text, run_name text, event text, message text) as m
                    join event_handler h on h.workspace = any (array[m.workspace]) and h.event = m.event
                    cross join lateral (select octet_length(m.message) <= %1$d as fits) s
                where h.active
                returning 1
            )
            select count(*) from noted
            """.formatted(MESSAGE_BYTES_MAX, TOO_LARGE), ExecutionState.CODES));

    /** Why handlers do not get a message of this size, as a sentence. */
    static String tooLarge(int bytes) {
        return TOO_LARGE.formatted(bytes);
    }

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return messages.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(messages, message -> message.id().value());
        binder.uuids(messages, message -> message.run().value());
        binder.texts(messages, message -> message.workspace().name());
        binder.texts(messages, PublishedMessage::name);
        binder.texts(messages, PublishedMessage::event);
        binder.texts(messages, message -> message.message().text());
    }
}
