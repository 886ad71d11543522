package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.util.List;

/** Assigns kept signals to the waits that begin, each signal at most once. */
record TakeSignalsStatement(List<TakenSignal> signals) implements LaneStatement {
    static final Section<TakenSignal, TakeSignalsStatement> SECTION =
            new Section<>(FlushOrder.TAKE_SIGNALS, TakeSignalsStatement::new);

    private static final RowsSql SQL = new RowsSql("""
            with taken as (
                update signal s set wait_id = t.wait_id
                from $rows(bucket int4, id uuid, wait_id uuid) as t
                where s.bucket = any (array[t.bucket]) and s.id = t.id and num_nulls(s.wait_id) = 1
                returning 1
            )
            select expect_rows('take_signals', ?, (select count(*) from taken))
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
        binder.integers(signals, taken -> taken.run().bucket().value());
        binder.uuids(signals, TakenSignal::signal);
        binder.uuids(signals, taken -> taken.taker().value());
        binder.number(signals.size());
    }
}
