package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.kafka.Positions;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongFunction;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Handlers of topics, and how far they have come. A position moves in the transaction that notes the messages before it, so
 * each message is noted once, whichever scheduler reads it and however often.
 */
final class TopicStore {
    private static final String ACTIVE = """
            select * from event_handler where active and event like 'kafka:%' order by created_at, id limit ?
            """;
    private static final String COUNT_BESIDE = """
            select count(*)::int as all_active, (count(*) filter (where workspace = ?))::int as of_workspace
            from event_handler where active and event like 'kafka:%' and (workspace, path) <> (?, ?)
            """;
    private static final String OF_TOPIC = """
            select partition_number, next_offset from event_handler_position where handler_id = ? and topic_id = ?
            """;
    private static final String ADD = """
            insert into event_handler_position (handler_id, topic_id, partition_number, next_offset)
            select id, ?, ?, ? from event_handler where id = ?
            on conflict do nothing
            """;
    private static final String LOCK = """
            select next_offset from event_handler_position
            where handler_id = ? and topic_id = ? and partition_number = ? for update
            """;
    private static final String MOVE = """
            update event_handler_position set next_offset = ? where handler_id = ? and topic_id = ? and partition_number = ?
            """;
    private static final String WANTED =
            "select 1 from event_handler where id = ? and event = ? and active for key share";
    private static final String NOTE = NamedCodes.expand("""
            insert into event_execution (handler_id, message_id, workspace, event, source, run_name, state, message, reason,
                claimed_until, ended_at)
            select ?, m.id, ?, ?, m.source, '', s.state, m.message, m.reason,
                case when s.state = {ExecutionState.NOTED} then now() end,
                case when s.state = {ExecutionState.FAILED} then now() end
            from unnest(?::uuid[], ?::text[], ?::text[], ?::text[]) with ordinality as m(id, source, message, reason, place)
                cross join lateral (select case when m.message is null then {ExecutionState.FAILED}
                    else {ExecutionState.NOTED} end as state) s
            order by m.place
            on conflict do nothing
            """, ExecutionState.CODES);
    private static final String UNFINISHED = """
            select count(*)::int from (
                select from event_execution where handler_id = ? and claimed_until is not null limit ?
            ) unfinished
            """;

    private final Database database;

    TopicStore(Database database) {
        this.database = database;
    }

    /** Active handlers of topics, the oldest first. */
    List<EventHandler> active(int limit) {
        return database.run(dsl -> dsl.fetch(ACTIVE, limit).map(EventHandlerStore::read));
    }

    /** Numbers of active handlers of topics. */
    record Active(int inAll, int inWorkspace) {}

    /** How many handlers of topics are active beside one. */
    Active activeBeside(Workspace workspace, String path) {
        return database.run(dsl -> dsl.fetchSingle(COUNT_BESIDE, workspace.name(), workspace.name(), path)
                .map(row -> new Active(row.get("all_active", Integer.class), row.get("of_workspace", Integer.class))));
    }

    /** The positions of a handler. */
    Positions positions(UUID handler) {
        return new Positions() {
            @Override
            public Map<Integer, Long> ofTopic(UUID topic) {
                Map<Integer, Long> positions = new HashMap<>();
                database.run(dsl -> dsl.fetch(OF_TOPIC, handler, topic))
                        .forEach(row -> positions.put(
                                row.get("partition_number", Integer.class), row.get("next_offset", Long.class)));
                return positions;
            }

            @Override
            public void begin(UUID topic, int partition, long offset) {
                database.run(dsl -> dsl.execute(ADD, topic, partition, offset, handler));
            }
        };
    }

    /**
     * Notes messages of a partition for a handler, and moves its position behind them.
     *
     * @param next offset behind the last message
     * @param messages what to note, by the offset of the first message that was not noted yet
     * @return false if the handler was deleted or changed, so that nothing was noted
     */
    boolean note(
            EventHandler handler, UUID topic, int partition, long next, LongFunction<List<TopicMessage>> messages) {
        return database.transaction(dsl -> {
            if (dsl.fetch(WANTED, handler.id(), handler.definition().event()).isEmpty()) {
                return false;
            }
            dsl.execute(ADD, topic, partition, 0L, handler.id());
            long first = dsl.fetchSingle(LOCK, handler.id(), topic, partition).get(0, Long.class);
            if (first < next) {
                insert(dsl, handler, messages.apply(first));
                dsl.execute(MOVE, next, handler.id(), topic, partition);
            }
            return true;
        });
    }

    /** Notes in the history of a handler why it gets no messages, unless it was deleted. */
    void noteTrouble(EventHandler handler, UUID id, String sentence) {
        database.transaction(dsl -> {
            if (!dsl.fetch(WANTED, handler.id(), handler.definition().event()).isEmpty()) {
                insert(dsl, handler, List.of(new TopicMessage(id, "", Optional.empty(), sentence)));
            }
            return true;
        });
    }

    private static void insert(DSLContext dsl, EventHandler handler, List<TopicMessage> messages) {
        @Nullable String[] contents = new @Nullable String[messages.size()];
        for (int index = 0; index < contents.length; index++) {
            contents[index] = messages.get(index).message().orElse(null);
        }
        dsl.execute(
                NOTE,
                handler.id(),
                handler.workspace().name(),
                handler.definition().event(),
                messages.stream().map(TopicMessage::id).toArray(UUID[]::new),
                messages.stream().map(TopicMessage::source).toArray(String[]::new),
                contents,
                messages.stream().map(TopicMessage::trouble).toArray(String[]::new));
    }

    /** Number of executions of a handler that have not ended, at most {@code max}. */
    int unfinished(UUID handler, int max) {
        return database.run(dsl -> dsl.fetchSingle(UNFINISHED, handler, max).into(int.class));
    }
}
