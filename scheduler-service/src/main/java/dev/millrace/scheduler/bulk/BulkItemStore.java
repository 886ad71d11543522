package dev.millrace.scheduler.bulk;

import static dev.millrace.scheduler.database.tables.Tables.BULK_ITEM;
import static dev.millrace.scheduler.database.tables.Tables.BULK_OPERATION;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.jsonGetAttributeAsText;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.tables.Tables;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * The runs of bulk operations in Postgres, claimed in batches by any scheduler.
 *
 * <p>A claim expires, so the runs of a scheduler that died return to the others. The end of an operation is decided
 * while its row is locked: the scheduler that notes the last run sees the states of all others.
 */
final class BulkItemStore {
    /** How long other schedulers leave a claimed run alone. */
    static final Duration CLAIM_TIME = Duration.ofSeconds(15);

    private static final Map<String, Short> CODES = Map.of(
            "ItemState.WAITING", ItemState.WAITING,
            "BulkState.RUNNING", BulkState.RUNNING.code(),
            "BulkState.ENDED", BulkState.ENDED.code(),
            "BulkState.CANCELING", BulkState.CANCELING.code(),
            "BulkState.CANCELED", BulkState.CANCELED.code());

    private static final String CLAIM = NamedCodes.expand("""
            with claimed as (
                select i.bulk_id, i.run_id from bulk_item i join bulk_operation o on o.id = i.bulk_id
                where i.state = {ItemState.WAITING} and (i.claimed_until < now()
                    or (i.claimed_until is null and o.state = {BulkState.RUNNING}))
                order by i.bulk_id, i.run_id limit ? for update of i skip locked
            ), taken as (
                update bulk_item i set claimed_until = now() + ? * interval '1 millisecond'
                from claimed c where i.bulk_id = c.bulk_id and i.run_id = c.run_id
                returning i.bulk_id, i.run_id
            )
            select t.run_id, o.* from taken t join bulk_operation o on o.id = t.bulk_id order by o.id, t.run_id
            """, CODES);

    private static final String NOTE = NamedCodes.expand("""
            update bulk_item i
            set state = n.state, error_code = n.error_code, error_message = n.error_message, new_run_id = n.new_run_id, claimed_until = null
            from unnest(?::uuid[], ?::uuid[], ?::smallint[], ?::text[], ?::text[], ?::uuid[])
                as n(bulk_id, run_id, state, error_code, error_message, new_run_id)
            where i.bulk_id = n.bulk_id and i.run_id = n.run_id and i.state = {ItemState.WAITING}
            """, CODES);

    private static final String LOCK = "select 1 from bulk_operation where id = any(?::uuid[]) order by id for update";

    private static final String END = NamedCodes.expand("""
            update bulk_operation o
            set state = case o.state when {BulkState.RUNNING} then {BulkState.ENDED} else {BulkState.CANCELED} end, ended_at = now()
            where o.id = any(?::uuid[]) and o.state in ({BulkState.RUNNING}, {BulkState.CANCELING})
                and not exists (select 1 from bulk_item i where i.bulk_id = o.id and i.state = {ItemState.WAITING})
            """, CODES);

    private final Database database;

    BulkItemStore(Database database) {
        this.database = database;
    }

    /** Claims waiting runs for {@link #CLAIM_TIME}, oldest operation first. */
    List<ClaimedItem> claim(int limit) {
        return database.run(dsl -> dsl.fetch(CLAIM, limit, CLAIM_TIME.toMillis()).stream()
                .map(BulkItemStore::claimed)
                .toList());
    }

    /** Notes the states of runs, and ends the operations of which no run is left. */
    void note(List<EndedItem> ends) {
        UUID[] bulks = ends.stream().map(end -> end.item().bulk().value()).toArray(UUID[]::new);
        UUID[] runs = ends.stream().map(end -> end.item().run().id().value()).toArray(UUID[]::new);
        Short[] states = ends.stream().map(end -> end.state().stored()).toArray(Short[]::new);
        @Nullable String[] codes = ends.stream().map(end -> code(end.state())).toArray(String[]::new);
        @Nullable String[] messages = ends.stream().map(end -> message(end.state())).toArray(String[]::new);
        @Nullable UUID[] newRuns = ends.stream().map(end -> newRun(end.state())).toArray(UUID[]::new);
        database.transaction(dsl -> {
            dsl.fetch(LOCK, (Object) bulks);
            dsl.execute(NOTE, bulks, runs, states, codes, messages, newRuns);
            return dsl.execute(END, (Object) bulks);
        });
    }

    /** Ends the operations of which no run waits. The caller's transaction must hold the locks of their rows. */
    static void endWhereNothingWaits(DSLContext dsl, UUID[] bulks) {
        dsl.execute(END, (Object) bulks);
    }

    /** The run that the operation with this request id started from {@code original}. */
    RunId begun(RunId original, String requestId) {
        var operation = Tables.RUN_OPERATION;
        return database.run(dsl -> dsl.select(jsonGetAttributeAsText(operation.DETAILS, "run_id"))
                .from(operation)
                .where(operation.RUN_ID.eq(original.value()).and(operation.REQUEST_ID.eq(requestId)))
                .fetchSingle(row -> RunId.parse(row.value1())));
    }

    /**
     * Runs of an operation, ordered by id.
     *
     * @param states states to include; empty means all
     * @param after the last run of the page before; empty for the first page
     */
    List<BulkItem> list(BulkId bulk, Set<Short> states, Optional<RunId> after, int limit) {
        return database.run(dsl -> dsl.selectFrom(BULK_ITEM)
                .where(BULK_ITEM.BULK_ID.eq(bulk.value()))
                .and(states.isEmpty() ? inline(true).isTrue() : BULK_ITEM.STATE.in(states))
                .and(after.map(run -> BULK_ITEM.RUN_ID.gt(run.value()))
                        .orElse(inline(true).isTrue()))
                .orderBy(BULK_ITEM.RUN_ID)
                .limit(limit)
                .fetch(BulkItemStore::item));
    }

    private static BulkItem item(Record row) {
        short code = row.get(BULK_ITEM.STATE);
        ItemState state = switch (code) {
            case ItemState.WAITING -> new ItemState.Waiting();
            case ItemState.DONE ->
                new ItemState.Done(
                        Optional.ofNullable(row.get(BULK_ITEM.NEW_RUN_ID)).map(RunId::new));
            case ItemState.FAILED ->
                new ItemState.Failed(row.get(BULK_ITEM.ERROR_CODE), row.get(BULK_ITEM.ERROR_MESSAGE));
            case ItemState.LEFT_OUT -> new ItemState.LeftOut();
            default -> throw new IllegalStateException("unknown state of a bulk item: " + code);
        };
        return new BulkItem(new RunId(row.get(BULK_ITEM.RUN_ID)), state);
    }

    private static ClaimedItem claimed(Record row) {
        Record bulk = row.into(BULK_OPERATION);
        BulkId id = new BulkId(bulk.get(BULK_OPERATION.ID));
        return new ClaimedItem(
                id,
                new RunRef(Workspace.of(row.get("workspace", String.class)), new RunId(row.get("run_id", UUID.class))),
                BulkStore.action(bulk),
                new OperationNote(bulk.get(BULK_OPERATION.ACTOR), bulk.get(BULK_OPERATION.REASON), id.requestId()));
    }

    private static @Nullable String code(ItemState state) {
        return state instanceof ItemState.Failed failed ? failed.code() : null;
    }

    private static @Nullable String message(ItemState state) {
        return state instanceof ItemState.Failed failed ? failed.message() : null;
    }

    private static @Nullable UUID newRun(ItemState state) {
        return state instanceof ItemState.Done(Optional<RunId> run)
                ? run.map(RunId::value).orElse(null)
                : null;
    }
}
