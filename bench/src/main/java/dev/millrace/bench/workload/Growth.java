package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import java.util.Collections;

/**
 * The workload {@code steps} on a database with much history and a long queue without workers, and on an empty one. Two
 * installations exist at the same time and work in turns, so that disturbances of the machine affect both.
 */
public final class Growth implements Workload {
    private static final int ROUNDS = 7;
    private static final int WARM_UP_ROUNDS = 2;
    private static final int HISTORY_ROWS = 1_000_000;
    /** One job is queued for this many rows of history. */
    private static final int HISTORY_ROWS_PER_QUEUED_JOB = 10;

    private static final int JOBS_PER_CALL = 5_000;
    private static final String NOBODY = "bench.nobody";

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public String description() {
        return "steps with 1,000,000 rows of history and 100,000 queued jobs, compared with steps on an empty database";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        int rounds = bench.rounds(ROUNDS);
        int rows = bench.size(HISTORY_ROWS);
        int queued = rows / HISTORY_ROWS_PER_QUEUED_JOB;
        try (Installation empty = bench.install(name() + "-empty", ClusterPlan.fast());
                Installation full = bench.install(name() + "-full", ClusterPlan.fast())) {
            warmUp(bench, empty);
            warmUp(bench, full);
            bench.say(name() + ": adding " + rows + " rows of history and " + queued + " jobs");
            fill(full, rows, queued);
            ManyRuns.stepsPerSecond(full, ManyRuns.WARM_UP_RUNS);
            ManyRuns.stepsPerSecond(empty, ManyRuns.WARM_UP_RUNS);
            long before = full.ask("select count(*) from job_history");
            double[] emptyRates = new double[rounds];
            double[] fullRates = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                emptyRates[round] = ManyRuns.stepsPerSecond(empty, ManyRuns.RUNS);
                fullRates[round] = ManyRuns.stepsPerSecond(full, ManyRuns.RUNS);
                bench.say("round %d of %d: empty %,.0f, full %,.0f steps/s"
                        .formatted(round + 1, rounds, emptyRates[round], fullRates[round]));
            }
            Records.checkHistory(
                    empty, (long) (WARM_UP_ROUNDS + rounds) * ManyRuns.RUNS + ManyRuns.WARM_UP_RUNS, Seq40.STEPS);
            Check.equal(
                    "the number of records",
                    before + (long) rounds * ManyRuns.RUNS * (Seq40.STEPS + 1),
                    full.ask("select count(*) from job_history"));
            Check.equal(
                    "the number of jobs that nobody serves", (long) queued, full.ask("select count(*) from job_queue"));
            double emptyRate = Samples.of(emptyRates).median();
            double fullRate = Samples.of(fullRates).median();
            Figures figures = new Figures(name())
                    .add("rounds", (long) rounds)
                    .add("history_rows", before)
                    .add("queued_jobs", (long) queued)
                    .add("empty_steps_per_second_median", emptyRate)
                    .add("full_steps_per_second_median", fullRate)
                    .add("full_to_empty_ratio", fullRate / emptyRate);
            return bench.compareFusedRate(figures, fullRate);
        }
    }

    private static void warmUp(Bench bench, Installation installation) throws Exception {
        installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
        ManyRuns.rounds(bench, installation, WARM_UP_ROUNDS, ManyRuns.RUNS);
    }

    private static void fill(Installation installation, int rows, int queued) throws Exception {
        DatabaseServer.execute(installation.database(), copies(rows));
        for (int accepted = 0; accepted < queued; accepted += JOBS_PER_CALL) {
            installation.submit(
                    Collections.nCopies(Math.min(JOBS_PER_CALL, queued - accepted), Specs.handler(NOBODY, "{}")));
        }
        DatabaseServer.execute(installation.database(), "vacuum analyze");
    }

    /**
     * SQL that copies one recorded step under new ids, 40 to a run. The first 12 digits of an id are the time, as in
     * all ids. The last 15 are equal within a run, since the last ten bits determine the bucket.
     */
    private static String copies(int rows) {
        return """
                insert into job_history
                select filled.*
                from (select step from job_history step where step_key = 's1' limit 1) model,
                     lateral (select lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') as millis) time,
                     generate_series(1, %d) n,
                     lateral (select substr(md5('run ' || n / 40), 1, 15) as tail) run,
                     lateral jsonb_populate_record(model.step, jsonb_build_object(
                        'id', (time.millis || '7' || lpad(to_hex(mod(n, 40)), 3, '0') || '8' || run.tail)::uuid,
                        'run_id', (time.millis || '7' || substr(md5('run ' || n / 40), 20, 3) || '8' || run.tail)::uuid,
                        'bucket', ('x' || right(run.tail, 3))::bit(12)::int & 1023)) filled
                on conflict do nothing
                """.formatted(rows);
    }
}
