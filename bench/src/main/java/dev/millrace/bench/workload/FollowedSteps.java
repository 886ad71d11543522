package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Waiting;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.event.v1.EventFilter;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowEventsRequest;
import dev.millrace.proto.event.v1.FollowEventsResponse;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The runs of {@link Steps} while nobody follows events, and while one reader does, in turns. */
public final class FollowedSteps implements Workload {
    private static final int ROUNDS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final EventFilter RUNS =
            EventFilter.newBuilder().addTypes("run.*").build();
    private static final String FORGET =
            "with gone as (update event_recording set until = now() returning 1) select count(*) from gone";

    @Override
    public String name() {
        return "events";
    }

    @Override
    public String description() {
        return "200 runs of the 40-step flow at once, 5 rounds each without a reader of events, with one of runs, and with one of all, in turns";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            installation.deploy(FlowFiles.sequence(Seq40.FLOW, Seq40.STEPS, Seq40.NUMBER));
            ManyRuns.stepsPerSecond(installation, ManyRuns.WARM_UP_RUNS);
            int rounds = bench.rounds(ROUNDS);
            int runs = bench.size(ManyRuns.RUNS);
            double[] without = new double[rounds];
            double[] withRuns = new double[rounds];
            double[] with = new double[rounds];
            long events = 0;
            for (int i = 0; i < rounds; i++) {
                without[i] = ManyRuns.stepsPerSecond(installation, runs);
                try (Reader _ = Reader.open(installation, RUNS)) {
                    withRuns[i] = ManyRuns.stepsPerSecond(installation, runs);
                }
                try (Reader reader = Reader.open(installation, EventFilter.getDefaultInstance())) {
                    with[i] = ManyRuns.stepsPerSecond(installation, runs);
                    events += reader.count.get();
                }
                forget(installation);
                bench.say("events: " + Math.round(without[i]) + " without a reader, " + Math.round(withRuns[i])
                        + " with one of runs, " + Math.round(with[i]) + " with one of all");
            }
            double stepsWith = Samples.of(with).median();
            return new Figures(name())
                    .add("runs_at_once", (long) runs)
                    .add("rounds", (long) rounds)
                    .add(
                            "steps_per_second_without_reader_median",
                            Samples.of(without).median())
                    .add(
                            "steps_per_second_with_reader_of_runs_median",
                            Samples.of(withRuns).median())
                    .add("steps_per_second_with_reader_median", stepsWith)
                    .add("events_per_step", (double) events / ((long) rounds * runs * Seq40.STEPS))
                    .add("events_per_second_median", stepsWith * events / ((long) rounds * runs * Seq40.STEPS));
        }
    }

    /** Lets the recording end at once, as it does an hour after the last reader. */
    private static void forget(Installation installation) throws Exception {
        installation.ask(FORGET);
        Waiting.until(
                "nothing is recorded", PATIENCE, () -> installation.ask("select count(*) from event_recording") == 0);
    }

    /** Somebody who reads all events and counts them. */
    private static final class Reader implements StreamObserver<FollowEventsResponse>, AutoCloseable {
        private final AtomicLong count = new AtomicLong();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final Context.CancellableContext call = Context.current().withCancellation();

        static Reader open(Installation installation, EventFilter filter) throws InterruptedException {
            Reader reader = new Reader();
            reader.call.run(() -> EventServiceGrpc.newStub(installation.channel())
                    .followEvents(
                            FollowEventsRequest.newBuilder().setFilter(filter).build(), reader));
            reader.begun.await();
            return reader;
        }

        @Override
        public void onNext(FollowEventsResponse response) {
            if (!response.getCloudEvent().isEmpty()) {
                count.incrementAndGet();
            }
            begun.countDown();
        }

        @Override
        public void onError(Throwable gone) {
            begun.countDown();
        }

        @Override
        public void onCompleted() {
            begun.countDown();
        }

        @Override
        public void close() {
            call.cancel(null);
        }
    }
}
