package dev.millrace.bench.workload;

import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.harness.Postgres;
import java.sql.SQLException;

/**
 * A log of many chunks of 16 KiB, as a job prints it that tells of each request, with a line in the middle that occurs
 * once.
 */
record ConsoleLog(String run, int chunks) {
    private static final int LINES_A_CHUNK = 128;

    void write(Postgres database) throws SQLException {
        DatabaseServer.execute(database, """
            insert into job_log (run_id, job_id, step_key, attempt, stream, sequence, text)
            select '%1$s', '%1$s', '', 1, 1, 1000 + chunk, text from generate_series(0, %2$d - 1) chunk, lateral (
                select string_agg('12:00:00.000 INFO  request ' || chunk * %3$d + line || ' took ' || chunk * 31 %% 997
                    || ' ms ' || md5((chunk * %3$d + line)::text) || ' customer-' || line * 7919 %% 10007
                    || ' path=/orders/' || md5(chunk::text)
                    || case when chunk = %2$d / 2 and line = 64 then ' %4$s' else '' end || E'\\n', '' order by line) as text
                from generate_series(1, %3$d) line
            ) made
            """.formatted(run, chunks, LINES_A_CHUNK, wanted()));
    }

    /** A text of the last line only. */
    String last() {
        return "request " + (long) chunks * LINES_A_CHUNK + " took";
    }

    /** A text of one line in the middle. */
    String wanted() {
        return "needle-in-the-middle";
    }
}
