package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import java.sql.SQLException;
import java.util.List;

/** Inserts signals. A duplicate request id aborts the transaction, because the signal was received before. */
record RecordSignalsStatement(List<ReceivedSignal> signals) implements LaneStatement {
    static final Section<ReceivedSignal, RecordSignalsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_SIGNALS, RecordSignalsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with added as (
                insert into signal (bucket, id, run_id, name, step_key, kind, payload, who, request_id, wait_id)
                select bucket, id, run_id, name, step_key, kind, payload::json, who, request_id, wait_id
                from $rows(
                    bucket int4, id uuid, run_id uuid, name text, step_key text, kind int4, payload text, who text,
                    request_id text, wait_id uuid) as s
                returning 1
            )
            select expect_rows('record_signals', ?, (select count(*) from added))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return signals.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.integers(signals, received -> received.run().bucket().value());
        binder.uuids(signals, received -> received.signal().id());
        binder.uuids(signals, received -> received.run().value());
        binder.texts(signals, received -> name(received.signal().address()));
        binder.texts(signals, received -> stepKey(received.signal().address()));
        binder.integers(signals, received -> received.signal().kind().code());
        binder.texts(signals, received -> received.signal().payload().text());
        binder.texts(signals, received -> received.signal().who());
        binder.texts(signals, received -> received.signal().requestId());
        binder.uuids(signals, received -> received.countsFor().map(JobId::value).orElse(null));
        binder.number(signals.size());
    }

    private static String name(Address address) {
        return switch (address) {
            case Address.Name(String name) -> name;
            case Address.Step _, Address.StepToCome _ -> "";
        };
    }

    private static String stepKey(Address address) {
        return switch (address) {
            case Address.Name _ -> "";
            case Address.Step(String key) -> key;
            case Address.StepToCome(String key) -> key;
        };
    }
}
