package dev.millrace.scheduler.lane;

import java.sql.SQLException;
import java.util.List;

/** Gives kept signals to the waits that begin; each only once. */
record TakeSignalsStatement(List<TakenSignal> signals) implements LaneStatement {
    private static final String SQL = """
            with taken as (
                update signal s set wait_id = t.wait_id
                from unnest(?::int4[], ?::uuid[], ?::uuid[]) as t(bucket, id, wait_id)
                where s.bucket = t.bucket and s.id = t.id and s.wait_id is null
                returning 1
            )
            select expect_rows('take_signals', ?, (select count(*) from taken))
            """;

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void bind(ArrayBinder binder) throws SQLException {
        binder.integers(signals, taken -> taken.run().bucket().value());
        binder.uuids(signals, TakenSignal::signal);
        binder.uuids(signals, taken -> taken.taker().value());
        binder.number(signals.size());
    }
}
