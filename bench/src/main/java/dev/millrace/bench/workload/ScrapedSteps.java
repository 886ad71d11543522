package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The runs of {@link Steps} while nobody reads metrics, and while the pages of all services are read each second, in turns. */
public final class ScrapedSteps implements Workload {
    private static final int ROUNDS = 5;
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    @Override
    public String name() {
        return "metrics";
    }

    @Override
    public String description() {
        return "200 runs of the 40-step flow at once, 5 rounds each without a reader of metrics, and with one each second of"
                + " scheduler and worker, in turns";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        int scheduler = FreePort.next();
        int worker = FreePort.next();
        ClusterPlan plan = ClusterPlan.fast()
                .with("millrace.scheduler.metrics-port", Integer.toString(scheduler))
                .with("millrace.worker.metrics-port", Integer.toString(worker));
        try (Installation installation = bench.install(name(), plan)) {
            List<URI> pages = List.of(
                    URI.create("http://127.0.0.1:" + scheduler + "/metrics"),
                    URI.create("http://127.0.0.1:" + worker + "/metrics"));
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            int rounds = bench.rounds(ROUNDS);
            int runs = bench.size(ManyRuns.RUNS);
            double[] without = new double[rounds];
            double[] with = new double[rounds];
            AtomicLong bytes = new AtomicLong();
            AtomicLong reads = new AtomicLong();
            for (int i = 0; i < rounds; i++) {
                without[i] = ManyRuns.stepsPerSecond(installation, runs);
                try (Reader _ = new Reader(pages, bytes, reads)) {
                    with[i] = ManyRuns.stepsPerSecond(installation, runs);
                }
                bench.say("metrics: " + Math.round(without[i]) + " without a reader, " + Math.round(with[i])
                        + " with one");
            }
            return new Figures(name())
                    .add("runs_at_once", (long) runs)
                    .add("rounds", (long) rounds)
                    .add(
                            "steps_per_second_without_reader_median",
                            Samples.of(without).median())
                    .add("steps_per_second_with_reader_median", Samples.of(with).median())
                    .add("pages_read", reads.get())
                    .add("page_bytes", (double) bytes.get() / Math.max(1, reads.get()));
        }
    }

    /** Reads all pages each second, as Prometheus does. */
    private static final class Reader implements AutoCloseable {
        private final HttpClient client = HttpClient.newHttpClient();
        private final CountDownLatch end = new CountDownLatch(1);
        private final List<URI> pages;
        private final AtomicLong bytes;
        private final AtomicLong reads;
        private final Thread thread;
        private volatile @Nullable IOException failure;

        Reader(List<URI> pages, AtomicLong bytes, AtomicLong reads) {
            this.pages = pages;
            this.bytes = bytes;
            this.reads = reads;
            this.thread = Thread.ofVirtual().start(this::readAll);
        }

        private void readAll() {
            try {
                do {
                    for (URI page : pages) {
                        HttpRequest request = HttpRequest.newBuilder(page)
                                .header("Accept", "application/openmetrics-text; version=1.0.0")
                                .build();
                        bytes.addAndGet(
                                client.send(request, BodyHandlers.ofByteArray()).body().length);
                        reads.incrementAndGet();
                    }
                } while (!end.await(INTERVAL.toNanos(), TimeUnit.NANOSECONDS));
            } catch (IOException gone) {
                failure = gone;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() throws IOException {
            end.countDown();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            client.close();
            IOException broken = failure;
            if (broken != null) {
                throw broken;
            }
        }
    }
}
