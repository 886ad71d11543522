package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Inserts the records of operations on runs. */
record RecordOperationsStatement(List<RecordedOperation> operations) implements LaneStatement {
    static final Section<RecordedOperation, RecordOperationsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_OPERATIONS, RecordOperationsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with recorded as (
                insert into run_operation (run_id, id, operation, actor, reason, request_id, details)
                select run_id, id, operation, actor, reason, request_id, details::json
                from $rows(run_id uuid, id uuid, operation text, actor text, reason text, request_id text, details text) as o
                returning 1
            )
            select expect_rows('record_operations', ?, (select count(*) from recorded))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return operations.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(operations, operation -> operation.run().value());
        binder.uuids(operations, RecordedOperation::id);
        binder.texts(operations, operation -> operation.operation().text());
        binder.texts(operations, operation -> operation.note().actor());
        binder.texts(operations, operation -> operation.note().reason());
        binder.texts(operations, operation -> operation.note().requestId());
        binder.texts(operations, operation -> operation.details().text());
        binder.number(operations.size());
    }
}
