package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.peer.Peers;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Specs;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * One-step Python jobs at a fixed rate, without waiting for earlier ones: the time until user code starts, and until
 * the result is seen.
 */
public final class Latency implements Workload {
    private static final int JOBS_PER_SECOND = 100;
    private static final int SECONDS = 30;

    private static final String SCRIPT = "bench/clock.py";
    private static final String CLOCK = """
            import time


            def main():
                return time.time_ns() // 1000
            """;
    private static final int WARM_UP_SECONDS = 3;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final int MEDIAN = 50;
    private static final int NEARLY_ALL = 99;

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String description() {
        return "one-step Python jobs at a fixed 100/s, open loop, 30 s: submit to user code, and to result";
    }

    /**
     * Times in microseconds since 1970: when the job was due, when it was sent, when its code began, when its result
     * was seen.
     */
    private record Sample(long due, long sent, long begun, long seen) {}

    @Override
    public Figures run(Bench bench) throws Exception {
        int jobs = (int) bench.duration(SECONDS).toSeconds() * JOBS_PER_SECOND;
        Figures figures = measure(bench, jobs);
        if (bench.options().peers()) {
            new Peers(bench.server(), bench::say).addLatency(figures, jobs, JOBS_PER_SECOND);
        }
        return figures;
    }

    private Figures measure(Bench bench, int jobs) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deployScript(SCRIPT, CLOCK);
            bench.say(name() + ": warming up");
            List<Sample> warmUp = send(installation, WARM_UP_SECONDS * JOBS_PER_SECOND);
            bench.say(name() + ": " + jobs + " jobs at " + JOBS_PER_SECOND + "/s");
            Measurement measurement = Measurement.begin(bench, installation, name());
            List<Sample> samples = send(installation, jobs);
            var used = measurement.end(jobs);
            Records.checkJobs(installation, warmUp.size() + jobs);
            Samples start = millis(samples.stream()
                    .mapToLong(sample -> sample.begun - sample.sent)
                    .toArray());
            Samples result = millis(samples.stream()
                    .mapToLong(sample -> sample.seen - sample.sent)
                    .toArray());
            Samples late = millis(samples.stream()
                    .mapToLong(sample -> sample.sent - sample.due)
                    .toArray());
            Check.that("no code began before its job was sent", start.lowest() >= 0);
            Figures figures = new Figures(name())
                    .add("jobs", (long) jobs)
                    .add("submit_to_start_p50_ms", start.percentile(MEDIAN))
                    .add("submit_to_start_p99_ms", start.percentile(NEARLY_ALL))
                    .add("submit_to_result_p50_ms", result.percentile(MEDIAN))
                    .add("submit_to_result_p99_ms", result.percentile(NEARLY_ALL))
                    .add("client_sent_late_p99_ms", late.percentile(NEARLY_ALL))
                    .note("keeps", "history, an acknowledgement for each job, fsync; user code in Python");
            return bench.compareTime(figures, 1, start.percentile(MEDIAN)).addAll(used);
        }
    }

    private static List<Sample> send(Installation installation, int jobs) {
        RunSpec job = Specs.script(SCRIPT, "{}");
        var runs = RunServiceGrpc.newStub(installation.channel());
        var samples = new ArrayList<CompletableFuture<Sample>>();
        long nanosBetween = Duration.ofSeconds(1).toNanos() / JOBS_PER_SECOND;
        long firstNanos = System.nanoTime() + nanosBetween;
        for (int i = 0; i < jobs; i++) {
            long dueNanos = firstNanos + i * nanosBetween;
            for (long wait = dueNanos - System.nanoTime(); wait > 0; wait = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            long lateNanos = System.nanoTime() - dueNanos;
            long sent = WallClock.micros();
            var sample = new CompletableFuture<Sample>();
            samples.add(sample);
            runs.submitRun(
                    Installation.waiting(job),
                    new Receiver(sample, sent - (long) (lateNanos / MICROS_PER_MILLI), sent));
        }
        return samples.stream().map(CompletableFuture::join).toList();
    }

    private static Samples millis(long... micros) {
        return Samples.of(Arrays.stream(micros)
                .mapToDouble(value -> value / MICROS_PER_MILLI)
                .toArray());
    }

    /** Receives the answer of one job. */
    private record Receiver(CompletableFuture<Sample> sample, long due, long sent)
            implements StreamObserver<SubmitRunResponse> {
        @Override
        public void onNext(SubmitRunResponse answer) {
            long seen = WallClock.micros();
            String output = answer.getRun().getOutput().toStringUtf8();
            if (output.isEmpty()) {
                sample.completeExceptionally(
                        new IllegalStateException("The figures are void: a job ended so: " + answer.getRun()));
            } else {
                sample.complete(new Sample(due, sent, Long.parseLong(output), seen));
            }
        }

        @Override
        public void onError(Throwable failure) {
            sample.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {}
    }
}
