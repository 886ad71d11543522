package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.bench.system.Waiting;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.ServiceProcess;
import dev.millrace.proto.run.v1.RunSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Recovery time after a kill, on a machine that is busy with other runs. After the kill of a worker: until its jobs
 * begin on the other one. After the kill of a scheduler: how late timers are, and when the first run submitted later
 * succeeds.
 */
public final class Recovery implements Workload {
    private static final int ROUNDS = 8;
    private static final int RUNS_BESIDE = 4;
    private static final int HELD_JOBS = 4;
    private static final int TIMERS = 100;
    private static final long TIMERS_FROM_MILLIS = 2_000;
    private static final long TIMERS_APART_MILLIS = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final double MICROS_PER_SECOND = 1e6;
    private static final long MICROS_PER_MILLI = 1_000;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private static final String HELD_SCRIPT = "bench/held.py";
    private static final String TIMER_FLOW = "bench-recovery-timer";

    /** Records each beginning with its worker's process id, and waits until it may continue. */
    private static final String HELD = """
            import os
            import pathlib
            import time


            def main(file: str):
                with open(file, "a") as begun:
                    begun.write(f"{os.getppid()} {time.time()}\\n")
                while not pathlib.Path(file + ".go").exists():
                    time.sleep(0.05)
                return 0
            """;

    @Override
    public String name() {
        return "recovery";
    }

    @Override
    public String description() {
        return "seconds until work continues after the kill of a worker, and of a scheduler, with 4 concurrent flows of Python steps; 8 kills of each";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        ClusterPlan plan = ClusterPlan.fast().withSchedulers(2).withWorkers(0, 0, 1);
        Path folder = Files.createTempDirectory("millrace-recovery");
        int rounds = bench.rounds(ROUNDS);
        try (Installation installation = bench.install(name(), plan)) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            installation.deploy(FlowFiles.timerWait(TIMER_FLOW));
            installation.deployScript(HELD_SCRIPT, HELD);
            ManyRuns.rounds(bench, installation, 2, ManyRuns.RUNS);
            List<Double> begunAgain = new ArrayList<>();
            List<Double> timersLate = new ArrayList<>();
            List<Double> firstRun = new ArrayList<>();
            try (Load load = Load.start(installation)) {
                for (int round = 0; round < rounds; round++) {
                    List<Double> jobs = killWorker(installation, folder, round);
                    begunAgain.addAll(jobs);
                    double first = killScheduler(installation, timersLate);
                    firstRun.add(first);
                    bench.say(
                            "round %d of %d: jobs began again after %.1f s, first run after %.1f s, latest timer so far %.1f s"
                                    .formatted(
                                            round + 1,
                                            rounds,
                                            Samples.of(array(jobs)).highest(),
                                            first,
                                            Samples.of(array(timersLate)).highest()));
                }
                Check.that("runs went on beside the kills", load.ended() > 0);
            }
            Samples jobs = Samples.of(array(begunAgain));
            Samples timers = Samples.of(array(timersLate));
            Samples first = Samples.of(array(firstRun));
            return new Figures(name())
                    .add("kills_of_each", (long) rounds)
                    .add("jobs_begun_again", (long) begunAgain.size())
                    .add("job_begins_again_p50_s", jobs.median())
                    .add("job_begins_again_max_s", jobs.highest())
                    .add("timer_late_p99_s", timers.percentile(99))
                    .add("timer_late_max_s", timers.highest())
                    .add("first_run_p50_s", first.median())
                    .add("first_run_max_s", first.highest());
        }
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Seconds from the kill of a worker until each of its jobs begins on the other one. */
    private static List<Double> killWorker(Installation installation, Path folder, int round) throws Exception {
        ServiceProcess worker = installation.cluster().worker(0);
        List<Path> files = IntStream.range(0, HELD_JOBS)
                .mapToObj(i -> folder.resolve("held-" + round + "-" + i))
                .toList();
        installation.submit(files.stream()
                .map(file -> Specs.script(HELD_SCRIPT, "{\"file\":\"" + file + "\"}"))
                .toList());
        for (Path file : files) {
            Waiting.until(
                    "a job has begun",
                    PATIENCE,
                    () -> Files.exists(file) && lines(file).size() == 1);
        }
        String process = Long.toString(worker.pid());
        List<Path> lost = files.stream()
                .filter(file -> lines(file).getFirst().startsWith(process + " "))
                .toList();
        double killed = WallClock.micros() / MICROS_PER_SECOND;
        worker.kill();
        List<Double> seconds = new ArrayList<>();
        for (Path file : lost) {
            Waiting.until("a job has begun again", PATIENCE, () -> lines(file).size() >= 2);
            String again = lines(file).get(1);
            seconds.add(Double.parseDouble(again.substring(again.indexOf(' ') + 1)) - killed);
        }
        for (Path file : files) {
            Files.createFile(file.resolveSibling(file.getFileName() + ".go"));
        }
        long restarted = installation.ask("select (extract(epoch from now()) * 1000)::bigint");
        worker.start();
        awaitWorker(installation, 0, restarted);
        return seconds;
    }

    private static void awaitWorker(Installation installation, int worker, long sinceMillis) throws Exception {
        String sql = "select count(*) from worker_session where ended_at is null and worker_name = 'worker-" + worker
                + "' and heartbeat_at > to_timestamp(" + sinceMillis / MILLIS_PER_SECOND + ")";
        Waiting.until("a worker is back", PATIENCE, () -> installation.ask(sql) > 0);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Seconds from the kill of a scheduler until a run that was submitted later succeeds; also adds how late timers
     * were.
     */
    private static double killScheduler(Installation installation, List<Double> timersLate) throws Exception {
        ServiceProcess scheduler = installation.cluster().scheduler(1);
        long now = WallClock.micros() / MICROS_PER_MILLI;
        List<RunSpec> timers = IntStream.range(0, TIMERS)
                .mapToObj(i ->
                        Specs.flow(TIMER_FLOW, "{\"at\":" + (now + TIMERS_FROM_MILLIS + i * TIMERS_APART_MILLIS) + "}"))
                .toList();
        List<String> ids = installation.submit(timers);
        Waiting.until(
                "timers come due", PATIENCE, () -> WallClock.micros() / MICROS_PER_MILLI > now + TIMERS_FROM_MILLIS);
        long killed = System.nanoTime();
        scheduler.kill();
        double seconds = firstRunSeconds(installation, killed);
        for (int i = 0; i < TIMERS; i++) {
            String run = ids.get(i);
            Waiting.until("a timer has gone off", PATIENCE, () -> endedMillis(installation, run) > 0);
            timersLate.add((endedMillis(installation, run) - (now + TIMERS_FROM_MILLIS + i * TIMERS_APART_MILLIS))
                    / MILLIS_PER_SECOND);
        }
        long restarted = installation.ask("select (extract(epoch from now()) * 1000)::bigint");
        scheduler.start();
        awaitWorker(installation, 2, restarted);
        return seconds;
    }

    /** Submits runs to both schedulers repeatedly until one has succeeded. */
    private static double firstRunSeconds(Installation installation, long since) throws Exception {
        while (true) {
            try {
                installation.call(Seq40.FLOW, "{}").check(Seq40.RESULT);
                return (System.nanoTime() - since) / NANOS_PER_SECOND;
            } catch (ExecutionException refused) {
                if (System.nanoTime() - since > PATIENCE.toNanos()) {
                    throw refused;
                }
            }
        }
    }

    private static long endedMillis(Installation installation, String run) throws SQLException {
        return installation.ask(
                "select coalesce((select (extract(epoch from ended_at) * 1000)::bigint from job_history where id = '"
                        + run + "' and step_key = ''), 0)");
    }

    /** Repeated concurrent runs of a flow. Runs that a kill interrupts are ignored. */
    private static final class Load implements AutoCloseable {
        private final ExecutorService callers = Executors.newFixedThreadPool(RUNS_BESIDE);
        private final AtomicLong ended = new AtomicLong();
        private volatile boolean closing;

        static Load start(Installation installation) {
            Load load = new Load();
            for (int i = 0; i < RUNS_BESIDE; i++) {
                load.callers.execute(() -> load.call(installation));
            }
            return load;
        }

        private void call(Installation installation) {
            while (!closing) {
                try {
                    installation.call(Seq40.FLOW, "{}");
                    ended.incrementAndGet();
                } catch (InterruptedException stopped) {
                    return;
                } catch (Exception brokenOff) {
                    // The run's scheduler was killed.
                }
            }
        }

        long ended() {
            return ended.get();
        }

        @Override
        public void close() {
            closing = true;
            callers.shutdownNow();
            callers.close();
        }
    }
}
