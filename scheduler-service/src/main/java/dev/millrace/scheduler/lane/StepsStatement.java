package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.sql.SQLException;
import java.util.List;

/**
 * Statement whose rows are steps of runs, each with the bucket and id of its run and its key first.
 *
 * @param <S> a row
 */
public interface StepsStatement<S extends StepsStatement.StepRow> extends LaneStatement {
    /** A row about a step of a run. */
    interface StepRow {
        RunId run();

        String stepKey();
    }

    List<S> steps();

    @Override
    default int rows() {
        return steps().size();
    }

    /** Binds the runs and keys of the steps. A statement with more columns binds these afterwards. */
    @Override
    default void bind(RowBinder binder) throws SQLException {
        binder.runs(steps(), StepRow::run);
        binder.texts(steps(), StepRow::stepKey);
    }
}
