package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.bench.system.Waiting;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.run.v1.RunSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** 200,000 waiting runs, half for a signal and half for a time: they cost no heap, and all wake. */
public final class Waits200k implements Workload {
    private static final String SIGNAL_FLOW = "bench-signal-wait";
    private static final String TIMER_FLOW = "bench-timer-wait";
    private static final int RUNS = 200_000;
    /** A first tenth of the runs, so that bounded caches are as full before the measurement as after it. */
    private static final int FIRST_SHARE = 10;

    private static final int RUNS_PER_CALL = 5_000;
    private static final Duration ENOUGH_TIME = Duration.ofSeconds(20);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final double MICROS_PER_SECOND = 1e6;
    private static final long MICROS_PER_MILLI = 1000;
    private static final double MIB = 1 << 20;

    @Override
    public String name() {
        return "waits200k";
    }

    @Override
    public String description() {
        return "200,000 waiting runs, half for a signal, half for a moment: heap for each, then all wake";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deploy(FlowFiles.signalWait(SIGNAL_FLOW));
            installation.deploy(FlowFiles.timerWait(TIMER_FLOW));
            int half = bench.size(RUNS) / 2;
            int first = Math.max(1, half / FIRST_SHARE);
            RunSpec signalWait = Specs.flow(SIGNAL_FLOW, "{}");

            bench.say(name() + ": " + first + " runs that wait for a signal");
            long start = WallClock.micros();
            List<String> ids = new ArrayList<>(submit(installation, signalWait, first));
            awaitWaiting(installation, first);
            double runsPerSecond = first / ((WallClock.micros() - start) / MICROS_PER_SECOND);
            long heapBefore = installation.schedulerProbe().heapAfterFullCollection();

            bench.say(name() + ": the other " + (2 * half - first) + " runs");
            ids.addAll(submit(installation, signalWait, half - first));
            Duration needed = ENOUGH_TIME.plusSeconds((long) (2 * half / runsPerSecond));
            long moment = WallClock.micros() / MICROS_PER_MILLI + needed.toMillis();
            submit(installation, Specs.flow(TIMER_FLOW, "{\"at\":" + moment + "}"), half);
            awaitWaiting(installation, 2L * half);
            double submitSeconds = (WallClock.micros() - start) / MICROS_PER_SECOND;
            long heapAfter = installation.schedulerProbe().heapAfterFullCollection();
            Check.that(
                    "all runs were waiting before the moment that half of them wait for",
                    WallClock.micros() / MICROS_PER_MILLI < moment);

            bench.say(name() + ": waking " + half + " runs by signals");
            double signalSeconds = Signals.send(installation, ids);
            bench.say(name() + ": waiting for the moment at which the others wake");
            Waiting.until(
                    "all runs have ended",
                    LIMIT.plus(needed),
                    () -> installation.ask("select exists (select 1 from job_queue)::int") == 0);
            long lastTimer = installation.ask(
                    "select (extract(epoch from max(ended_at)) * 1000000)::bigint from job_history where name = '"
                            + TIMER_FLOW + "'");
            check(installation, half, moment);
            Figures figures = new Figures(name())
                    .add("runs", 2L * half)
                    .add("begun_per_second", 2 * half / submitSeconds)
                    .add("scheduler_heap_mib", heapAfter / MIB)
                    .add("heap_bytes_per_waiting_run", (double) (heapAfter - heapBefore) / (2 * half - first))
                    .add("woken_by_signal_per_second", half / signalSeconds)
                    .add(
                            "woken_by_time_per_second",
                            half / ((lastTimer - moment * MICROS_PER_MILLI) / MICROS_PER_SECOND));
            return bench.compareFusedRate(figures, half / signalSeconds);
        }
    }

    private static List<String> submit(Installation installation, RunSpec spec, int runs) {
        var ids = new ArrayList<String>();
        while (ids.size() < runs) {
            ids.addAll(installation.submit(Collections.nCopies(Math.min(RUNS_PER_CALL, runs - ids.size()), spec)));
        }
        return ids;
    }

    private static void awaitWaiting(Installation installation, long runs) throws InterruptedException {
        Waiting.until(
                runs + " runs wait",
                LIMIT,
                () -> installation.ask("select count(*) from job_queue where step_key = 'wait'") == runs);
    }

    /** Checks that every run has ended once, with its payload or not before its time. */
    private static void check(Installation installation, int half, long moment) throws Exception {
        Records.checkHistory(installation, 2L * half, 1);
        Check.equal(
                "the number of different payloads that came out",
                (long) half,
                installation.ask("select count(distinct result::text) from job_history where step_key = '' and name = '"
                        + SIGNAL_FLOW + "' and result::text ~ '^[0-9]+$'"));
        Check.equal(
                "the number of runs that woke by time, and not too early",
                (long) half,
                installation.ask("select count(*) from job_history where step_key = '' and name = '" + TIMER_FLOW
                        + "' and result::text = '\"woken\"' and ended_at >= to_timestamp(" + moment + " / 1000.0)"));
    }
}
