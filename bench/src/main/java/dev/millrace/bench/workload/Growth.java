package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import java.util.Collections;

/** The workload {@code steps} on an empty database, and again with much history and a long queue that nobody serves. */
public final class Growth implements Workload {
    private static final int ROUNDS = 5;
    private static final int HISTORY_ROWS = 1_000_000;
    /** Of each row of history that is added, so many more are queued. */
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
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            int rounds = bench.rounds(ROUNDS);
            double[] empty = ManyRuns.rounds(bench, installation, rounds, ManyRuns.RUNS);
            Records.checkHistory(installation, ManyRuns.WARM_UP_RUNS + (long) rounds * ManyRuns.RUNS, Seq40.STEPS);

            int rows = bench.size(HISTORY_ROWS);
            int queued = rows / HISTORY_ROWS_PER_QUEUED_JOB;
            bench.say(name() + ": adding " + rows + " rows of history and " + queued + " jobs");
            DatabaseServer.execute(installation.database(), copies(rows));
            for (int accepted = 0; accepted < queued; accepted += JOBS_PER_CALL) {
                installation.submit(
                        Collections.nCopies(Math.min(JOBS_PER_CALL, queued - accepted), Specs.handler(NOBODY, "{}")));
            }
            DatabaseServer.execute(installation.database(), "vacuum analyze");
            long before = installation.ask("select count(*) from job_history");

            ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            Measurement measurement = Measurement.begin(bench, installation, name());
            double[] full = ManyRuns.rounds(bench, installation, rounds, ManyRuns.RUNS);
            var used = measurement.end((long) rounds * ManyRuns.RUNS * Seq40.STEPS);
            long runs = ManyRuns.WARM_UP_RUNS + (long) rounds * ManyRuns.RUNS;
            Check.equal(
                    "the number of records",
                    before + runs * (Seq40.STEPS + 1),
                    installation.ask("select count(*) from job_history"));
            Check.equal(
                    "the number of jobs that nobody serves",
                    (long) queued,
                    installation.ask("select count(*) from job_queue"));
            double emptyRate = Samples.of(empty).median();
            double fullRate = Samples.of(full).median();
            Figures figures = new Figures(name())
                    .add("history_rows", before)
                    .add("queued_jobs", (long) queued)
                    .add("empty_steps_per_second_median", emptyRate)
                    .add("full_steps_per_second_median", fullRate)
                    .add("full_to_empty_ratio", fullRate / emptyRate);
            return bench.compareFusedRate(figures, fullRate).addAll(used);
        }
    }

    /**
     * Copies of one recorded step, 40 to a run, under new ids: the time in the first 12 digits, as in all ids, and the last 15 the same for all of a
     * run, since the bucket is made of the last ten bits.
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
