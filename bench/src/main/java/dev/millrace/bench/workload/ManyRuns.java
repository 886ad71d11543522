package dev.millrace.bench.workload;

import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** Many concurrent runs of the 40-step flow. */
final class ManyRuns {
    static final int RUNS = 200;
    static final int WARM_UP_RUNS = 100;

    private static final double NANOS_PER_SECOND = 1e9;

    private ManyRuns() {}

    /** Starts this many runs at once, checks their ends, and returns the throughput in steps a second. */
    static double stepsPerSecond(Installation installation, int runs) throws Exception {
        long start = System.nanoTime();
        var started = new ArrayList<Future<SubmitRunResponse>>();
        for (int i = 0; i < runs; i++) {
            started.add(installation.start(Specs.flow(Seq40.FLOW, "{}")));
        }
        for (Future<SubmitRunResponse> run : started) {
            run.get();
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        for (Future<SubmitRunResponse> run : started) {
            Installation.end(run).check(Seq40.RESULT);
        }
        return runs * Seq40.STEPS / seconds;
    }

    /** Runs several rounds one after another and returns their rates. */
    static double[] rounds(Bench bench, Installation installation, int rounds, int runs) throws Exception {
        var rates = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            rates[round] = stepsPerSecond(installation, runs);
            bench.say("round %d of %d: %,.0f steps/s".formatted(round + 1, rounds, rates[round]));
        }
        return rates;
    }

    /** Checks that the steps of the last runs began in order, each after the end of the previous one. */
    static void checkOrderOfLastRuns(Installation installation, int runs) throws Exception {
        for (String id : lastRuns(installation, runs)) {
            Records.checkSequence(installation.steps(id), Seq40.STEPS);
        }
    }

    private static List<String> lastRuns(Installation installation, int count) throws Exception {
        var ids = new ArrayList<String>();
        try (var connection = installation.database().connect();
                var rows = connection
                        .createStatement()
                        .executeQuery("select run_id from job_history where step_key = '' order by ended_at desc limit "
                                + count)) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }
}
