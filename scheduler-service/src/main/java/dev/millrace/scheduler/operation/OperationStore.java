package dev.millrace.scheduler.operation;

import static dev.millrace.scheduler.database.tables.Tables.RUN_OPERATION;
import static org.jooq.impl.DSL.jsonGetAttributeAsText;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.UUID;

/** Reads the records of operations, which the lanes write. */
final class OperationStore {
    private final Database database;

    OperationStore(Database database) {
        this.database = database;
    }

    /** The run that the operation with this request id started from {@code original}. */
    RunId begun(RunId original, String requestId) {
        return database.run(dsl -> dsl.select(jsonGetAttributeAsText(RUN_OPERATION.DETAILS, "run_id"))
                .from(RUN_OPERATION)
                .where(RUN_OPERATION.RUN_ID.eq(original.value()).and(RUN_OPERATION.REQUEST_ID.eq(requestId)))
                .fetchSingle(row -> RunId.parse(row.value1())));
    }

    /** Records of operations on a run, oldest first, after the record {@code after}. */
    List<PastOperation> list(RunId run, UUID after, int limit) {
        return database.run(dsl -> dsl.selectFrom(RUN_OPERATION)
                .where(RUN_OPERATION.RUN_ID.eq(run.value()).and(RUN_OPERATION.ID.gt(after)))
                .orderBy(RUN_OPERATION.ID)
                .limit(limit)
                .fetch(row -> new PastOperation(
                        row.get(RUN_OPERATION.ID),
                        run,
                        OperationKind.of(row.get(RUN_OPERATION.OPERATION)),
                        new OperationNote(
                                row.get(RUN_OPERATION.ACTOR),
                                row.get(RUN_OPERATION.REASON),
                                row.get(RUN_OPERATION.REQUEST_ID)),
                        new Json(row.get(RUN_OPERATION.DETAILS).data()),
                        row.get(RUN_OPERATION.CREATED_AT).toInstant())));
    }
}
