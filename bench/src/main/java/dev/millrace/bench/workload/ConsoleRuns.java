package dev.millrace.bench.workload;

import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.harness.Postgres;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** Runs of the last ten days, as rows of the history, and the lists of them that are measured. */
final class ConsoleRuns {
    private static final int DAYS = 10;
    /** One run in so many has a rare name, has failed, or was canceled. */
    private static final int RARE = 100_000;

    private ConsoleRuns() {}

    /** Adds the runs; returns the queries of the lists to measure by their names. */
    static Map<String, String> fill(Postgres database, int runs) throws SQLException {
        int aDay = Math.max(1, runs / DAYS);
        for (int day = 1; day <= DAYS; day++) {
            DatabaseServer.execute(database, """
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt,
                    input, result, error_name, error_message, error_stack, created_at, started_at, ended_at)
                select 0, id, id, 'default', 3, 'hash',
                    case when n %% %3$d = 7 then 'rare/flow' else 'flow/' || n %% 20 end, '', 'flow', status, 1,
                    '{"customer": 42}', '{"rows": 1}', case when status <> 1 then 'Error' end,
                    case when status <> 1 then 'wrong' end, case when status <> 1 then '' end,
                    at, at, at + interval '1 second'
                from (
                    select n, case n %% %3$d when 11 then 2 when 13 then 3 else 1 end as status, at,
                        (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
                            || '7000' || '8' || lpad(to_hex(n::bigint), 15, '0'))::uuid as id
                    from (
                        select n, now() - %1$d * interval '1 day' + n * interval '1 day' / %2$d as at
                        from generate_series(1, %2$d) n
                    ) as timed
                ) as made
                """.formatted(day, aDay, RARE));
        }
        Instant middle = Instant.now().minus(Duration.ofDays(DAYS / 2)).truncatedTo(ChronoUnit.SECONDS);
        return Map.of(
                "all", "",
                "counted", "&include_count=true",
                "older", "&created_before=" + middle,
                "failed", "&state=failed",
                "often", "&name=flow/3",
                "rare", "&name=rare/flow",
                "none", "&name=no/flow",
                "often_and_failed", "&name=flow/11&state=failed");
    }
}
