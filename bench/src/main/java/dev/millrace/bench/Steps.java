package dev.millrace.bench;

import dev.millrace.proto.job.v1.Run;
import dev.millrace.proto.job.v1.SubmitRunResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** 200 runs of the 40-step flow at once: how many steps a second the whole system gets through. */
final class Steps implements Workload {
    private static final int WARM_UP_RUNS = 100;
    private static final int RUNS = 200;
    private static final int ROUNDS = 3;

    @Override
    public String name() {
        return "steps";
    }

    @Override
    public Figures run() throws Exception {
        try (BenchCluster cluster = BenchCluster.start(name())) {
            cluster.deploy(SequentialFlow.definition());
            runAll(cluster, WARM_UP_RUNS);
            var rates = new double[ROUNDS];
            Usage before = Usage.now(cluster);
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                List<Run> runs = runAll(cluster, RUNS);
                rates[round] = RUNS * SequentialFlow.STEPS / ((System.nanoTime() - start) / 1e9);
                runs.forEach(SequentialFlow::checkRun);
            }
            Usage after = Usage.now(cluster);
            checkHistory(cluster);
            Samples rate = Samples.of(rates);
            return new Figures(name())
                    .add("runs_at_once", (long) RUNS)
                    .add("steps_per_run", (long) SequentialFlow.STEPS)
                    .add("rounds", (long) ROUNDS)
                    .add("steps_per_second_median", rate.median())
                    .add("steps_per_second_best", rate.highest())
                    .addAll(after.perThousandStepsSince(before, (long) ROUNDS * RUNS * SequentialFlow.STEPS));
        }
    }

    private static List<Run> runAll(BenchCluster cluster, int count) throws Exception {
        var started = new ArrayList<Future<SubmitRunResponse>>();
        for (int i = 0; i < count; i++) {
            started.add(cluster.start(BenchCluster.flow(SequentialFlow.NAME)));
        }
        var runs = new ArrayList<Run>();
        for (Future<SubmitRunResponse> run : started) {
            runs.add(run.get().getRun());
        }
        return runs;
    }

    /** Every step of every run has one record and nothing is left in the queue. */
    private static void checkHistory(BenchCluster cluster) throws Exception {
        long runs = WARM_UP_RUNS + (long) ROUNDS * RUNS;
        Check.equal(
                "the number of recorded steps",
                runs * SequentialFlow.STEPS,
                cluster.ask("select count(*) from job_history where step_key <> ''"));
        Check.equal(
                "the number of recorded runs",
                runs,
                cluster.ask("select count(*) from job_history where step_key = ''"));
        Check.equal("the number of jobs left in the queue", 0L, cluster.ask("select count(*) from job_queue"));
    }
}
