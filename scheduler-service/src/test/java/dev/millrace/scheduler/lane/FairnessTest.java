package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunOptions;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.ClaimOrder;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Tests that successors overtake no waiting job with a higher priority, and no older one with the same priority, even
 * if the transaction of their predecessor leases them to a worker.
 */
class FairnessTest {
    private static final String TAG = "handler:h";
    private static final int STEPS = 4;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);
    private final String flow = fixture.flow(sequence());

    private static String sequence() {
        StringBuilder yaml = new StringBuilder("millrace: v1\nname: sequence\nsteps:\n");
        for (int i = 0; i < STEPS; i++) {
            yaml.append("  - {id: s").append(i).append(", handler: h}\n");
        }
        return yaml.toString();
    }

    @Test
    void aJobOfHigherPriorityGoesBeforeTheSuccessorsOfRunsInProgress() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        RunId run = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
        Delivery first = worker.nextDelivery();
        RunId urgent = submit(Workspace.DEFAULT, single(5));

        fixture.succeed(scheduler, worker, first, "1");
        Delivery second = worker.nextDelivery();
        fixture.succeed(scheduler, worker, second, "1");
        Delivery third = worker.nextDelivery();

        assertThat(runOf(second)).isEqualTo(urgent);
        assertThat(runOf(third)).isEqualTo(run);
    }

    @Test
    void aRunInProgressEndsBeforeYoungerOnesOfItsPriorityBegin() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            runs.add(fixture.submit(scheduler, fixture.flowRun(flow, "{}")));
        }

        List<RunId> served = new ArrayList<>();
        for (int i = 0; i < runs.size() * STEPS; i++) {
            Delivery delivery = worker.nextDelivery();
            served.add(runOf(delivery));
            fixture.succeed(scheduler, worker, delivery, "1");
        }

        List<RunId> oneAfterTheOther = new ArrayList<>();
        runs.forEach(run -> {
            for (int i = 0; i < STEPS; i++) {
                oneAfterTheOther.add(run);
            }
        });
        assertThat(served).isEqualTo(oneAfterTheOther);
    }

    @Test
    void aRunWithManyJobsAtOnceKeepsLaterRunsWaitingForFewOfThem() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        String wide = fixture.flow("""
                millrace: v1
                name: wide
                inputs: {items: {type: array}}
                steps:
                  - {id: each, for_each: "${{ inputs.items }}", parallelism: 200, handler: h}
                """);
        List<Integer> items = IntStream.range(0, 200).boxed().toList();
        RunId many = fixture.submit(scheduler, fixture.flowRun(wide, "{\"items\":" + items + "}"));
        RunId later = fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
        Map<RunId, Integer> served = new HashMap<>();

        while (served.getOrDefault(later, 0) < STEPS) {
            Delivery delivery = worker.nextDelivery();
            served.merge(runOf(delivery), 1, Integer::sum);
            fixture.succeed(scheduler, worker, delivery, "1");
        }

        assertThat(served.get(many)).isBetween(1, ClaimOrder.JOBS_OF_ITS_AGE + 1);
    }

    @Test
    void anOlderJobThatLosesItsWorkerGoesBeforeTheSuccessorsOfYoungerRuns() {
        FakeWorker lost = scheduler.connect(fixture.ids, 1, TAG);
        RunId older = submit(Workspace.DEFAULT, single(0));
        Delivery atLost = lost.nextDelivery();
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
        Delivery first = worker.nextDelivery();
        scheduler.slots().disconnect(lost);

        fixture.end(scheduler, lost, atLost, new AttemptResult.WorkerLost("fake", true));
        lost.nextAck();
        fixture.succeed(scheduler, worker, first, "1");

        assertThat(runOf(worker.nextDelivery())).isEqualTo(older);
    }

    /** One workspace starts a new run as soon as one of its runs ends, without end. */
    @Test
    void theJobOfAnotherWorkspaceWaitsForNothingThatCameLater() {
        FakeWorker worker = scheduler.connect(fixture.ids, 2, TAG);
        Map<RunId, Integer> ended = new HashMap<>();
        int busy = 6;
        for (int i = 0; i < busy; i++) {
            ended.put(submit(Workspace.of("greedy"), flowRun(0)), 0);
        }
        RunId other = submit(Workspace.of("modest"), single(0));

        int servedBefore = 0;
        for (Delivery next = worker.nextDelivery(); !runOf(next).equals(other); next = worker.nextDelivery()) {
            servedBefore++;
            fixture.succeed(scheduler, worker, next, "1");
            if (ended.merge(runOf(next), 1, Integer::sum) == STEPS) {
                ended.put(submit(Workspace.of("greedy"), flowRun(0)), 0);
            }
        }

        assertThat(servedBefore).isLessThanOrEqualTo(busy * STEPS);
    }

    @Test
    void whatAnotherSchedulerPutIntoTheQueueIsNotOvertakenOnceItIsKnown() {
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        NewRun older = single(0);
        fixture.submit(scheduler, fixture.flowRun(flow, "{}"));
        Delivery first = worker.nextDelivery();
        OneScheduler other = fixture.start(1);
        fixture.submit(other, older);
        scheduler.lanes().jobsMayWait(TAG);

        fixture.succeed(scheduler, worker, first, "1");

        assertThat(runOf(worker.nextDelivery())).isEqualTo(older.id());
    }

    /** With one slot, each delivered job is the first of a list of all waiting jobs that the test keeps. */
    @Test
    void inAnyMixtureTheFirstInTheQueueIsServedNext() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        Random random = new Random(seed);
        FakeWorker worker = scheduler.connect(fixture.ids, 1, TAG);
        PriorityQueue<ClaimOrder> waiting = new PriorityQueue<>();
        Map<RunId, Integer> stepsLeft = new HashMap<>();
        submitAny(random, stepsLeft);
        Delivery present = worker.nextDelivery();

        for (int i = 0; i < 400; i++) {
            for (int more = i < 200 ? random.nextInt(3) : 0; more > 0; more--) {
                waiting.add(submitAny(random, stepsLeft));
            }
            ClaimOrder done = present.lease().job().order();
            if (stepsLeft.merge(runOf(present), -1, Integer::sum) > 0) {
                waiting.add(done);
            }
            fixture.succeed(scheduler, worker, present, "1");
            if (waiting.isEmpty()) {
                return;
            }
            present = worker.nextDelivery();
            assertThat(present.lease().job().order())
                    .as("seed %d, delivery %d", seed, i)
                    .isEqualTo(waiting.remove());
        }
    }

    private ClaimOrder submitAny(Random random, Map<RunId, Integer> stepsLeft) {
        boolean isFlow = random.nextBoolean();
        NewRun run = isFlow ? flowRun(0) : single(random.nextInt(3) - 1);
        stepsLeft.put(run.id(), isFlow ? STEPS : 1);
        submit(random.nextBoolean() ? Workspace.DEFAULT : Workspace.of("other"), run);
        return new ClaimOrder(run.options().priority(), run.id().orderKey());
    }

    private RunId submit(Workspace workspace, NewRun run) {
        scheduler
                .lanes()
                .submit(new Submission(workspace, Optional.empty(), List.of(run)))
                .join();
        return run.id();
    }

    private NewRun flowRun(int priority) {
        return run(new RunTarget.FlowRun(flow), new JobOptions("flow", priority, TIMEOUT, RetryPolicy.NONE));
    }

    private NewRun single(int priority) {
        return run(
                new RunTarget.Job(new JobTarget.Handler("h")),
                new JobOptions(TAG, priority, TIMEOUT, RetryPolicy.NONE));
    }

    private NewRun run(RunTarget target, JobOptions options) {
        return new NewRun(
                fixture.ids.nextRun(),
                target,
                "run",
                new Json("{}"),
                new RunOptions(options, Optional.empty(), "", KeptOptions.NONE));
    }

    private static RunId runOf(Delivery delivery) {
        return delivery.lease().job().run();
    }
}
