package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.peer.Peers;
import dev.millrace.bench.system.ChildProcess;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.bench.system.Usage;
import dev.millrace.bench.system.Waiting;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.run.v1.RunSpec;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Queues 50,000 jobs, then starts a worker with a no-op handler in Java. */
public final class Burn implements Workload {
    private static final String RATE = "jobs_per_second";
    private static final int JOBS = 50_000;
    private static final int JOBS_PER_CALL = 5_000;
    private static final int WARM_UP_JOBS = 10_000;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Pattern FIRST = Pattern.compile("first (\\d+)");
    private static final Pattern CALLS = Pattern.compile("calls (\\d+)");
    private static final Pattern ALLOCATED = Pattern.compile("allocated (\\d+)");
    private static final double JOBS_PER_UNIT = 1000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_SECOND = 1e6;

    /**
     * How a worker emptied the queue: jobs a second from the first call to the last record, and the resources of the
     * worker since its start.
     */
    private record Drain(double jobsPerSecond, double cpuSeconds, double allocatedBytes) {}

    @Override
    public String name() {
        return "burn";
    }

    @Override
    public String description() {
        return "50,000 queued no-op jobs, then a worker with a no-op Java handler starts; first call to last record";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        Figures figures = measure(bench);
        if (bench.options().peers()) {
            double ours = figures.find(RATE).orElseThrow();
            new Peers(bench.server(), bench::say).addBurn(figures, bench.size(JOBS), ours);
        }
        return figures;
    }

    private Figures measure(Bench bench) throws Exception {
        try (Installation installation =
                bench.install(name(), ClusterPlan.fast().withWorkers())) {
            bench.say(name() + ": warming up");
            submit(installation, WARM_UP_JOBS);
            drain(installation, WARM_UP_JOBS);
            int jobs = bench.size(JOBS);
            bench.say(name() + ": submitting " + jobs + " jobs");
            Usage before = installation.usage();
            double submitted = submit(installation, jobs);
            bench.say(name() + ": draining the queue");
            Measurement measurement = Measurement.begin(bench, installation, name());
            Drain drain = drain(installation, jobs);
            measurement.end(jobs);
            var used = installation.usage().perThousandStepsSince(before, jobs);
            Records.checkJobs(installation, WARM_UP_JOBS + jobs);
            Figures figures = new Figures(name())
                    .add("jobs", (long) jobs)
                    .add(RATE, drain.jobsPerSecond)
                    .add("submitted_per_second", submitted)
                    .note("keeps", "history, an acknowledgement for each job, fsync; over gRPC");
            return bench.compareBatchedRate(figures, drain.jobsPerSecond)
                    .addAll(used)
                    .add("worker_cpu_seconds_per_1000_steps", drain.cpuSeconds / jobs * JOBS_PER_UNIT)
                    .add("worker_allocated_bytes_per_1000_steps", drain.allocatedBytes / jobs * JOBS_PER_UNIT);
        }
    }

    /** Submits jobs and returns how many were accepted per second. */
    private static double submit(Installation installation, int jobs) {
        RunSpec job = Specs.handler(NoopWorker.HANDLER, "{}");
        long start = System.nanoTime();
        for (int accepted = 0; accepted < jobs; accepted += JOBS_PER_CALL) {
            List<RunSpec> specs = Collections.nCopies(Math.min(JOBS_PER_CALL, jobs - accepted), job);
            Check.equal(
                    "the number of accepted jobs",
                    specs.size(),
                    installation.submit(specs).size());
        }
        return jobs / ((System.nanoTime() - start) / NANOS_PER_SECOND);
    }

    /** Starts a worker, waits until the queue is empty, and stops the worker. */
    private static Drain drain(Installation installation, int jobs) throws Exception {
        ChildProcess worker = installation.startWorker("noop-worker", NoopWorker.class);
        double cpuSeconds;
        try {
            Waiting.until("the queue is empty", LIMIT, () -> {
                Check.that("the worker runs", worker.isAlive());
                return installation.ask("select exists (select 1 from job_queue)::int") == 0;
            });
            cpuSeconds = worker.cpuSeconds();
        } finally {
            worker.close();
        }
        Check.equal("the number of calls of the handler", (long) jobs, number(CALLS, worker.output()));
        long lastRecord =
                installation.ask("select (extract(epoch from max(ended_at)) * 1000000)::bigint from job_history");
        return new Drain(
                jobs / ((lastRecord - number(FIRST, worker.output())) / MICROS_PER_SECOND),
                cpuSeconds,
                number(ALLOCATED, worker.output()));
    }

    private static long number(Pattern pattern, String output) {
        Matcher matcher = pattern.matcher(output);
        Check.that("the worker says '" + pattern + "'", matcher.find());
        return Long.parseLong(matcher.group(1));
    }
}
