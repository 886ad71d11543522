package dev.millrace.scheduler.attempt;

import dev.millrace.scheduler.lane.FlushOrder;
import dev.millrace.scheduler.lane.LaneStatement;
import dev.millrace.scheduler.lane.RowBinder;
import dev.millrace.scheduler.lane.RowsSql;
import dev.millrace.scheduler.lane.Section;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Records attempts that ended without ending their jobs. Their flush has checked the leases. */
record RecordAttemptsStatement(List<EndedAttempt> attempts) implements LaneStatement {
    static final Section<EndedAttempt, RecordAttemptsStatement> SECTION =
            new Section<>(FlushOrder.RECORD_ATTEMPTS, RecordAttemptsStatement::new);

    /** Maximum length of a message, in characters; longer ones are cut. */
    private static final int MESSAGE_MAX = 2_000;

    private static final RowsSql SQL = new RowsSql("""
            with recorded as (
                insert into job_attempt
                    (run_id, job_id, attempt, step_key, began_at, ended_at, worker_name, error_name, error_message)
                select run_id, job_id, attempt, step_key,
                    least(now(), coalesce(
                        case when run_micros >= 0 then now() - run_micros * interval '1 microsecond' end,
                        to_timestamp(began_micros / 1000000.0))),
                    now(), worker_name, error_name, error_message
                from $rows(run_id uuid, job_id uuid, attempt int4, step_key text, run_micros int8, began_micros int8,
                    worker_name text, error_name text, error_message text) as a
                on conflict (run_id, job_id, attempt) do nothing
                returning 1
            )
            select count(*) from recorded
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return attempts.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.uuids(attempts, attempt -> attempt.job().run().value());
        binder.uuids(attempts, attempt -> attempt.job().id().value());
        binder.integers(attempts, attempt -> attempt.job().attempt());
        binder.texts(attempts, attempt -> attempt.job().stepKey());
        binder.numbers(attempts, EndedAttempt::runMicros);
        binder.optionalNumbers(
                attempts,
                attempt -> attempt.began()
                        .map(began -> ChronoUnit.MICROS.between(Instant.EPOCH, began))
                        .orElse(null));
        binder.texts(attempts, EndedAttempt::worker);
        binder.texts(attempts, attempt -> attempt.error().name());
        binder.texts(attempts, attempt -> cut(attempt.error().message()));
    }

    private static String cut(String message) {
        if (message.length() <= MESSAGE_MAX) {
            return message;
        }
        int end = Character.isHighSurrogate(message.charAt(MESSAGE_MAX - 1)) ? MESSAGE_MAX - 1 : MESSAGE_MAX;
        return message.substring(0, end) + "…";
    }
}
