package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.trigger.ClaimTurns;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * What handlers do with messages, in Postgres. A row goes from noted to planned to ended, each by one update that finds the
 * state before, so that of two schedulers one decides.
 */
final class ExecutionStore {
    private static final String COLUMNS =
            "x.handler_id, x.message_id, x.number, x.workspace, x.event, x.run_id, x.run_name, x.state, x.message,"
                    + " x.action, x.plan, x.started_run, x.noted_at";

    private static final String CLAIM = ClaimTurns.choose(
                    "event_execution",
                    "handler_id, message_id, number",
                    "coalesce(octet_length(message), 0) + coalesce(octet_length(plan), 0)")
            + """
            update event_execution x set claimed_until = now() + ? * interval '1 millisecond'
            from chosen d where x.handler_id = d.handler_id and x.message_id = d.message_id and x.number = d.number
            returning\s""" + COLUMNS;

    /** The place of a run in a chain of handlers: the longest way to it counts. */
    private static final String LINK = """
            select depth, chain from event_execution where started_run = ? order by depth desc limit 1
            """;

    private static final String CHAIN_LENGTH =
            "select count(*)::int from (select from event_execution where chain = ? limit ?) links";

    private static final String PLAN_FIRST = NamedCodes.expand("""
            update event_execution set state = {ExecutionState.PLANNED}, message = null, action = ?, plan = ?, started_run = ?, depth = ?, chain = ?
            where handler_id = ? and message_id = ? and number = 0 and state = {ExecutionState.NOTED}
            """, ExecutionState.CODES);

    private static final String PLAN_FURTHER = NamedCodes.expand("""
            insert into event_execution (handler_id, message_id, number, workspace, event, run_id, run_name, source, state, action, plan,
                started_run, depth, chain, noted_at, claimed_until)
            select handler_id, message_id, ?, workspace, event, run_id, run_name, source, {ExecutionState.PLANNED}, ?, ?, ?, ?, ?, noted_at, claimed_until
            from event_execution where handler_id = ? and message_id = ? and number = 0
            """, ExecutionState.CODES);

    private static final String OF_MESSAGE = "select " + COLUMNS
            + " from event_execution x where x.handler_id = ? and x.message_id = ? order by x.number";

    private static final String END = NamedCodes.expand("""
            update event_execution set state = ?, reason = ?, message = null, plan = null, ended_at = now(), claimed_until = null,
                started_run = case when ? = {ExecutionState.COMPLETED} then started_run end
            where handler_id = ? and message_id = ? and number = ? and state in ({ExecutionState.NOTED}, {ExecutionState.PLANNED})
            """, ExecutionState.CODES);

    private static final String LIST = """
            select id, message_id, number, event, run_id, source, state, action, started_run, reason, noted_at
            from event_execution where handler_id = ? and id < ? order by handler_id, id desc limit ?
            """;

    private final Database database;

    ExecutionStore(Database database) {
        this.database = database;
    }

    /**
     * Takes what nobody works on, of some workspaces.
     *
     * @param passedOver workspaces of which nothing is taken
     */
    List<ClaimedExecution> claim(
            Collection<Workspace> passedOver, int workspacesMax, ClaimTurns.Share share, Duration claimed) {
        String[] names = passedOver.stream().map(Workspace::name).toArray(String[]::new);
        return database.run(
                dsl -> dsl.fetch(CLAIM, names, workspacesMax, share.rowsMax(), share.bytesMax(), claimed.toMillis())
                        .map(ExecutionStore::claimed));
    }

    /**
     * How a run came about.
     *
     * @param depth number of handlers that led to it, one after another
     * @param chain run or message of a topic with which this began
     */
    record Link(int depth, UUID chain) {}

    /** The place of a run among those that handlers have started; empty if none has started it. */
    Optional<Link> link(RunId run) {
        return database.run(dsl -> dsl.fetch(LINK, run.value()).stream()
                .findFirst()
                .map(row -> new Link(row.get("depth", Integer.class), row.get("chain", UUID.class))));
    }

    /** Number of executions that belong to a chain, at most {@code max}. */
    int chainLength(UUID chain, int max) {
        return database.run(dsl -> dsl.fetchSingle(CHAIN_LENGTH, chain, max).into(int.class));
    }

    /** Stores what is done with a message, unless that is stored already. Returns what is stored. */
    List<ClaimedExecution> plan(ClaimedExecution.Key first, List<PlannedAction> actions, Link link) {
        return database.transaction(dsl -> {
            boolean isFirst = dsl.execute(
                            PLAN_FIRST,
                            actions.getFirst().kind().text(),
                            actions.getFirst().details().text(),
                            started(actions.getFirst()),
                            link.depth(),
                            link.chain(),
                            first.handler(),
                            first.message())
                    == 1;
            if (isFirst) {
                addFurther(dsl, first, actions, link);
            }
            return dsl.fetch(OF_MESSAGE, first.handler(), first.message()).map(ExecutionStore::claimed);
        });
    }

    private static void addFurther(DSLContext dsl, ClaimedExecution.Key first, List<PlannedAction> actions, Link link) {
        for (int number = 1; number < actions.size(); number++) {
            PlannedAction action = actions.get(number);
            dsl.execute(
                    PLAN_FURTHER,
                    number,
                    action.kind().text(),
                    action.details().text(),
                    started(action),
                    link.depth(),
                    link.chain(),
                    first.handler(),
                    first.message());
        }
    }

    private static @Nullable UUID started(PlannedAction action) {
        return action.startedRun().map(RunId::value).orElse(null);
    }

    /** Notes what became of an execution, unless that is known. */
    void end(ClaimedExecution.Key key, ExecutionState state, String reason) {
        database.run(dsl ->
                dsl.execute(END, state.code(), reason, state.code(), key.handler(), key.message(), key.number()));
    }

    /** Executions of a handler, newest first. */
    List<EventExecution> list(UUID handler, UUID before, int limit) {
        return database.run(dsl -> dsl.fetch(LIST, handler, before, limit).map(ExecutionStore::execution));
    }

    private static ClaimedExecution claimed(Record row) {
        return new ClaimedExecution(
                new ClaimedExecution.Key(
                        row.get("handler_id", UUID.class),
                        row.get("message_id", UUID.class),
                        row.get("number", Integer.class)),
                Workspace.of(row.get("workspace", String.class)),
                row.get("event", String.class),
                Optional.ofNullable(row.get("run_id", UUID.class)).map(RunId::new),
                row.get("run_name", String.class),
                ExecutionState.of(row.get("state", Short.class)),
                Optional.ofNullable(row.get("message", String.class)),
                row.get("action", String.class),
                Optional.ofNullable(row.get("plan", String.class)),
                Optional.ofNullable(row.get("started_run", UUID.class)).map(RunId::new),
                row.get("noted_at", OffsetDateTime.class).toInstant());
    }

    private static EventExecution execution(Record row) {
        return new EventExecution(
                row.get("id", UUID.class),
                row.get("message_id", UUID.class),
                row.get("number", Integer.class),
                row.get("event", String.class),
                Optional.ofNullable(row.get("run_id", UUID.class)).map(RunId::new),
                row.get("source", String.class),
                ExecutionState.of(row.get("state", Short.class)),
                row.get("action", String.class),
                Optional.ofNullable(row.get("started_run", UUID.class)).map(RunId::new),
                row.get("reason", String.class),
                row.get("noted_at", OffsetDateTime.class).toInstant());
    }
}
