package dev.millrace.scheduler.bulk;

import static dev.millrace.scheduler.database.tables.Tables.BULK_ITEM;
import static dev.millrace.scheduler.database.tables.Tables.BULK_OPERATION;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.selectCount;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Bulk operations in Postgres as callers see them. {@link BulkItemStore} works through their runs. */
final class BulkStore {
    private static final Field<Integer> DONE = counted(ItemState.DONE);
    private static final Field<Integer> FAILED = counted(ItemState.FAILED);
    private static final Field<Integer> LEFT_OUT = counted(ItemState.LEFT_OUT);

    private static final String ADD_ITEMS =
            "insert into bulk_item (bulk_id, run_id, state) select ?, run_id, 1 from unnest(?::uuid[]) as run_id";

    private final Database database;

    BulkStore(Database database) {
        this.database = database;
    }

    /** Outcome of an attempt to accept an operation. */
    enum Acceptance {
        ACCEPTED,
        /** An operation with the same request id exists, or is being accepted at this moment. */
        REPEATED,
        /** The workspace already has the maximum of running operations. */
        BUSY
    }

    /**
     * Accepts the operation with all its runs, or nothing.
     *
     * @param runningMax maximum number of operations of the workspace that may be running
     */
    Acceptance accept(NewBulk bulk, int runningMax) {
        return database.transaction(dsl -> {
            int running = dsl.fetchCount(
                    BULK_OPERATION,
                    BULK_OPERATION
                            .WORKSPACE
                            .eq(bulk.workspace().name())
                            .and(BULK_OPERATION.STATE.eq(BulkState.RUNNING.code())));
            if (running >= runningMax) {
                return Acceptance.BUSY;
            }
            boolean isEmpty = bulk.runs().isEmpty();
            int added = dsl.insertInto(BULK_OPERATION)
                    .set(BULK_OPERATION.ID, bulk.id().value())
                    .set(BULK_OPERATION.WORKSPACE, bulk.workspace().name())
                    .set(BULK_OPERATION.OPERATION, bulk.action().kind().text())
                    .set(BULK_OPERATION.STEP_KEY, bulk.action().stepKey())
                    .set(BULK_OPERATION.RESULT, result(bulk.action()))
                    .set(BULK_OPERATION.FLOW_HASH, flowHash(bulk.action()).orElse(null))
                    .set(BULK_OPERATION.STEP_INPUT, stepInput(bulk.action()))
                    .set(BULK_OPERATION.ACTOR, bulk.note().actor())
                    .set(BULK_OPERATION.REASON, bulk.note().reason())
                    .set(BULK_OPERATION.REQUEST_ID, bulk.note().requestId())
                    .set(BULK_OPERATION.FINGERPRINT, bulk.fingerprint())
                    .set(BULK_OPERATION.STATE, (isEmpty ? BulkState.ENDED : BulkState.RUNNING).code())
                    .set(BULK_OPERATION.ENDED_AT, isEmpty ? currentOffsetDateTime() : inline((OffsetDateTime) null))
                    .set(BULK_OPERATION.TOTAL, bulk.runs().size())
                    .onConflictDoNothing()
                    .execute();
            if (added == 0) {
                return Acceptance.REPEATED;
            }
            UUID[] runs = bulk.runs().stream().map(RunId::value).toArray(UUID[]::new);
            dsl.execute(ADD_ITEMS, bulk.id().value(), runs);
            return Acceptance.ACCEPTED;
        });
    }

    /** The operation accepted under a request id, with the fingerprint of its request. */
    Optional<Requested> findRequested(Workspace workspace, String requestId) {
        return database.run(dsl -> dsl.select(BULK_OPERATION.ID, BULK_OPERATION.FINGERPRINT)
                .from(BULK_OPERATION)
                .where(BULK_OPERATION.WORKSPACE.eq(workspace.name()).and(BULK_OPERATION.REQUEST_ID.eq(requestId)))
                .fetchOptional(row -> new Requested(new BulkId(row.value1()), row.value2())));
    }

    record Requested(BulkId id, String fingerprint) {}

    /** The operation, if the workspace has it. */
    Optional<Bulk> find(Workspace workspace, BulkId id) {
        return database.run(dsl -> dsl.select(BULK_OPERATION.fields())
                .select(DONE, FAILED, LEFT_OUT)
                .from(BULK_OPERATION)
                .where(BULK_OPERATION.ID.eq(id.value()).and(BULK_OPERATION.WORKSPACE.eq(workspace.name())))
                .fetchOptional(BulkStore::bulk));
    }

    /**
     * Operations of a workspace, newest first.
     *
     * @param before the last operation of the page before; empty for the first page
     */
    List<Bulk> list(Workspace workspace, Optional<BulkId> before, int limit) {
        return database.run(dsl -> dsl.select(BULK_OPERATION.fields())
                .select(DONE, FAILED, LEFT_OUT)
                .from(BULK_OPERATION)
                .where(BULK_OPERATION.WORKSPACE.eq(workspace.name()))
                .and(before.map(id -> BULK_OPERATION.ID.lt(id.value()))
                        .orElse(inline(true).isTrue()))
                .orderBy(BULK_OPERATION.ID.desc())
                .limit(limit)
                .fetch(BulkStore::bulk));
    }

    /**
     * Cancels a running operation. Runs that no scheduler has claimed are left out; claimed runs are still finished.
     * Returns true if the operation was running or had been canceled earlier.
     */
    boolean cancel(BulkId id, OperationNote note) {
        return database.transaction(dsl -> {
            int canceled = dsl.update(BULK_OPERATION)
                    .set(BULK_OPERATION.STATE, BulkState.CANCELING.code())
                    .set(BULK_OPERATION.CANCEL_ACTOR, note.actor())
                    .set(BULK_OPERATION.CANCEL_REASON, note.reason())
                    .where(BULK_OPERATION.ID.eq(id.value()))
                    .and(BULK_OPERATION.STATE.eq(BulkState.RUNNING.code()))
                    .execute();
            if (canceled == 1) {
                dsl.update(BULK_ITEM)
                        .set(BULK_ITEM.STATE, ItemState.LEFT_OUT)
                        .where(BULK_ITEM.BULK_ID.eq(id.value()))
                        .and(BULK_ITEM.STATE.eq(inline(ItemState.WAITING)))
                        .and(BULK_ITEM.CLAIMED_UNTIL.isNull())
                        .execute();
                BulkItemStore.endWhereNothingWaits(dsl, new UUID[] {id.value()});
            }
            return canceled == 1 || isCanceled(dsl, id);
        });
    }

    private static boolean isCanceled(DSLContext dsl, BulkId id) {
        return dsl.fetchExists(
                BULK_OPERATION,
                BULK_OPERATION
                        .ID
                        .eq(id.value())
                        .and(BULK_OPERATION.STATE.in(BulkState.CANCELING.code(), BulkState.CANCELED.code())));
    }

    /** The action that a row describes. */
    static BulkAction action(Record row) {
        return BulkAction.of(
                OperationKind.of(row.get(BULK_OPERATION.OPERATION)),
                new BulkAction.Details(
                        row.get(BULK_OPERATION.STEP_KEY),
                        json(row.get(BULK_OPERATION.RESULT)).orElse(Json.NULL),
                        Optional.ofNullable(row.get(BULK_OPERATION.FLOW_HASH)),
                        json(row.get(BULK_OPERATION.STEP_INPUT))));
    }

    private static Optional<Json> json(@Nullable JSON value) {
        return Optional.ofNullable(value).map(given -> new Json(given.data()));
    }

    private static Optional<String> flowHash(BulkAction action) {
        return action instanceof BulkAction.Rerun rerun ? rerun.flowHash() : Optional.empty();
    }

    private static @Nullable JSON stepInput(BulkAction action) {
        return action instanceof BulkAction.Rerun rerun
                ? rerun.stepInput().map(input -> JSON.json(input.text())).orElse(null)
                : null;
    }

    private static @Nullable JSON result(BulkAction action) {
        return action instanceof BulkAction.Change(RunOperation.Skip skip)
                ? JSON.json(skip.result().text())
                : null;
    }

    private static Bulk bulk(Record row) {
        BulkState state = BulkState.ofCode(row.get(BULK_OPERATION.STATE));
        boolean isCanceled = state == BulkState.CANCELING || state == BulkState.CANCELED;
        return new Bulk(
                new BulkId(row.get(BULK_OPERATION.ID)),
                Workspace.of(row.get(BULK_OPERATION.WORKSPACE)),
                OperationKind.of(row.get(BULK_OPERATION.OPERATION)),
                row.get(BULK_OPERATION.STEP_KEY),
                Optional.ofNullable(row.get(BULK_OPERATION.FLOW_HASH)),
                row.get(BULK_OPERATION.STEP_INPUT) != null,
                new OperationNote(
                        row.get(BULK_OPERATION.ACTOR),
                        row.get(BULK_OPERATION.REASON),
                        row.get(BULK_OPERATION.REQUEST_ID)),
                state,
                new BulkProgress(row.get(BULK_OPERATION.TOTAL), row.get(DONE), row.get(FAILED), row.get(LEFT_OUT)),
                isCanceled
                        ? Optional.of(new OperationNote(
                                row.get(BULK_OPERATION.CANCEL_ACTOR), row.get(BULK_OPERATION.CANCEL_REASON), ""))
                        : Optional.empty(),
                row.get(BULK_OPERATION.CREATED_AT).toInstant(),
                Optional.ofNullable(row.get(BULK_OPERATION.ENDED_AT)).map(OffsetDateTime::toInstant));
    }

    private static Field<Integer> counted(short state) {
        return field(selectCount()
                        .from(BULK_ITEM)
                        .where(BULK_ITEM.BULK_ID.eq(BULK_OPERATION.ID).and(BULK_ITEM.STATE.eq(inline(state)))))
                .as("count_" + state);
    }
}
