package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Records what people and programs did to runs. */
record RecordOperationsStatement(List<RecordedOperation> operations) implements LaneStatement {
    private static final String SQL = """
            with recorded as (
                insert into run_operation (run_id, id, operation, actor, reason, request_id, details)
                select run_id, id, operation, actor, reason, request_id, details::json
                from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
                    as o(run_id, id, operation, actor, reason, request_id, details)
                returning 1
            )
            select expect_rows('record_operations', ?, (select count(*) from recorded))
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.uuids(operations, operation -> operation.run().value());
        binder.uuids(operations, RecordedOperation::id);
        binder.texts(operations, RecordedOperation::operation);
        binder.texts(operations, operation -> operation.note().actor());
        binder.texts(operations, operation -> operation.note().reason());
        binder.texts(operations, operation -> operation.note().requestId());
        binder.texts(operations, operation -> operation.details().text());
        binder.number(operations.size());
    }
}
