package dev.millrace.scheduler.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests steps that share a worker and a folder there. */
class AffinityTest {
    private static final String WHOLE_RUN = """
            millrace: v1
            name: whole
            same_worker: true
            steps:
              - {id: a, handler: h}
              - {id: b, handler: h}
              - {id: c, handler: h}
            """;
    private static final String SIDE_BY_SIDE = """
            millrace: v1
            name: side-by-side
            steps:
              - id: box
                same_worker: true
                steps:
                  - {id: a, handler: h}
                  - {id: b, handler: h, needs: []}
                  - {id: c, handler: h, needs: [a, b]}
              - {id: after, handler: h}
            """;
    private static final String RETRIED = """
            millrace: v1
            name: retried
            steps:
              - id: box
                same_worker: true
                retry: {max_retries: 1}
                steps:
                  - {id: a, handler: h}
                  - {id: b, handler: h}
            """;
    private static final AttemptResult LOST = new AttemptResult.WorkerLost("fake", true);

    @AutoClose
    private final LaneFixture fixture = new LaneFixture();

    private final OneScheduler scheduler = fixture.start(1);

    @Test
    void givesAllStepsToTheWorkerOfTheFirst() {
        FakeWorker one = worker(scheduler, 1);
        RunId run = submit(WHOLE_RUN);
        Delivery a = one.nextDelivery();
        FakeWorker idle = worker(scheduler, 9);

        succeed(one, a);
        Delivery b = one.nextDelivery();
        succeed(one, b);
        Delivery c = one.nextDelivery();
        succeed(one, c);

        assertThat(folder(b)).isEqualTo(folder(a)).isEqualTo(folder(c));
        assertThat(one.nextEndedFolder()).isEqualTo(folder(a));
        assertThat(idle.hasDelivery()).isFalse();
        assertThat(fixture.history(run)).containsExactly("|1|1|1", "a|1|1|1", "b|1|1|1", "c|1|1|1");
        assertThat(tags(run)).containsOnly("handler:h", "flow");
        assertThat(groups()).isEmpty();
    }

    @Test
    void waitsForThatWorkerEvenIfOthersAreIdle() {
        FakeWorker one = worker(scheduler, 1);
        submit(WHOLE_RUN);
        Delivery a = one.nextDelivery();
        RunId other = submit(WHOLE_RUN);
        FakeWorker two = worker(scheduler, 1);
        Delivery otherA = two.nextDelivery();
        succeed(one, a);
        Delivery b = one.nextDelivery();
        fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));

        succeed(two, otherA);
        Delivery otherB = two.nextDelivery();
        succeed(one, b);

        assertThat(otherB.lease().job().run()).isEqualTo(other);
        assertThat(one.nextDelivery().lease().job().stepKey()).isEqualTo("c");
    }

    @Test
    void choosesTheWorkerBeforeOtherJobsOfTheGroupBegin() {
        FakeWorker one = worker(scheduler, 1);
        FakeWorker two = worker(scheduler, 1);
        RunId run = submit(SIDE_BY_SIDE);

        FakeWorker holder = one.hasDelivery() ? one : two;
        Delivery a = holder.nextDelivery();
        assertThat(queued(run)).containsExactly("|", "box.a|handler:h", "box.b|@?" + folder(a) + "/handler:h");
        succeed(holder, a);
        Delivery b = holder.nextDelivery();
        assertThat(b.lease().job().stepKey()).isEqualTo("box.b");
        succeed(holder, b);
        Delivery c = holder.nextDelivery();
        succeed(holder, c);

        assertThat(holder.nextEndedFolder()).isEqualTo(folder(a));
        assertThat(folder(c)).isEqualTo(folder(a));
        assertThat(groups()).isEmpty();
        assertThat(jobs()).containsExactly("|", "after|handler:h");
    }

    @Test
    void replacesAFirstThatIsSkipped() {
        RunId run = submit(SIDE_BY_SIDE);

        fixture.operate(scheduler, run, new RunOperation.Skip("box.a", new Json("7")), "why");

        assertThat(queued(run)).containsExactly("|", "box.b|handler:h");
        FakeWorker one = worker(scheduler, 1);
        Delivery b = one.nextDelivery();
        succeed(one, b);
        Delivery c = one.nextDelivery();
        assertThat(c.lease().job().stepKey()).isEqualTo("box.c");
        assertThat(folder(c)).isEqualTo(folder(b));
    }

    @Test
    void continuesAfterEachRestart() {
        FakeWorker one = worker(scheduler, 1);
        RunId run = submit(WHOLE_RUN);
        Delivery a = one.nextDelivery();

        OneScheduler second = fixture.start(1);
        FakeWorker other = worker(second, 5);
        succeed(second, one, a);
        assertThat(one.nextAck().refusal()).isEmpty();
        assertThat(other.hasDelivery()).isFalse();
        assertThat(queued(run)).containsExactly("|", "b|" + JobGroup.route(one.session(), "handler:h"));

        OneScheduler third = fixture.start(1);
        third.hold(one);
        third.slots().connect(one, List.of(LaneFixture.group(1, "handler:h")), Map.of());
        third.lanes().jobsMayWait(JobGroup.route(one.session(), "handler:h"));
        Delivery b = one.nextDelivery();
        assertThat(b.lease().job().stepKey()).isEqualTo("b");
        assertThat(folder(b)).isEqualTo(folder(a));
    }

    @Test
    void restartsTheFirstJobElsewhereIfItsWorkerIsLost() {
        FakeWorker one = worker(scheduler, 1);
        submit(WHOLE_RUN);
        Delivery a = one.nextDelivery();
        scheduler.slots().disconnect(one);
        FakeWorker two = worker(scheduler, 1);

        fixture.end(scheduler, one, a, LOST);
        Delivery again = two.nextDelivery();
        succeed(two, again);

        assertThat(again.lease().job().attempt()).isEqualTo(2);
        assertThat(folder(again)).isEqualTo(folder(a));
        assertThat(two.nextDelivery().lease().job().stepKey()).isEqualTo("b");
    }

    @Test
    void failsTheStepThatLosesTheFolder() {
        FakeWorker one = worker(scheduler, 1);
        RunId run = submit(WHOLE_RUN);
        succeed(one, one.nextDelivery());
        Delivery b = one.nextDelivery();

        fixture.end(scheduler, one, b, LOST);
        one.nextAck();
        one.nextAck();

        assertThat(fixture.history(run)).containsExactly("|2|1|SharedFolderLost", "a|1|1|1", "b|2|1|SharedFolderLost");
        assertThat(groups()).isEmpty();
    }

    @Test
    void failsAStepThatWaitsForALostWorkerAndRestartsARetriedGroup() {
        FakeWorker one = worker(scheduler, 1);
        RunId run = submit(RETRIED);
        Delivery a = one.nextDelivery();
        scheduler.slots().disconnect(one);
        succeed(one, a);
        one.nextAck();
        String route = JobGroup.route(one.session(), "handler:h");
        assertThat(queued(run)).containsExactly("|", "box.b|" + route);

        failStep(run, "box.b", JobGroup.folderLost("fake"), route);
        failStep(run, "box.b", JobGroup.folderLost("fake"), route);

        FakeWorker two = worker(scheduler, 1);
        Delivery again = two.nextDelivery();
        assertThat(again.lease().job().stepKey()).isEqualTo("box.a");
        assertThat(folder(again)).isNotEqualTo(folder(a));
        succeed(two, again);
        succeed(two, two.nextDelivery());
        two.nextAck();
        two.nextAck();
        assertThat(fixture.history(run)).contains("|1|1|1", "box.b|2|1|SharedFolderLost", "box.b|1|1|1");
        assertThat(two.nextEndedFolder()).isEqualTo(folder(again));
        assertThat(groups()).isEmpty();
    }

    @Test
    void failsAStepWhoseGroupBeginsAgainAtOnce() {
        FakeWorker one = worker(scheduler, 1);
        RunId run = submit("""
                millrace: v1
                name: retried-side-by-side
                steps:
                  - id: box
                    same_worker: true
                    retry: {max_retries: 1}
                    steps:
                      - {id: a, handler: h}
                      - {id: b, handler: h, needs: []}
                """);
        Delivery a = one.nextDelivery();
        scheduler.slots().disconnect(one);
        succeed(one, a);
        one.nextAck();

        failStep(run, "box.b", JobGroup.folderLost("fake"), JobGroup.route(one.session(), "handler:h"));

        FakeWorker two = worker(scheduler, 1);
        succeed(two, two.nextDelivery());
        succeed(two, two.nextDelivery());
        two.nextAck();
        two.nextAck();
        assertThat(fixture.history(run)).contains("|1|1|1", "box.b|2|1|SharedFolderLost", "box.b|1|1|1");
    }

    @Test
    void restartsTheGroupFromItsFirstStepWhenTheRunIsRetried() {
        FakeWorker one = worker(scheduler, 1);
        RunId run = submit(WHOLE_RUN);
        succeed(one, one.nextDelivery());
        fixture.end(
                scheduler, one, one.nextDelivery(), new AttemptResult.Failed(JobError.permanent("No", "It broke.")));
        one.nextAck();
        one.nextAck();

        fixture.operate(scheduler, run, new RunOperation.Retry(), "why");

        assertThat(one.nextDelivery().lease().job().stepKey()).isEqualTo("a");
    }

    @Test
    void givesEachIterationAFolderOfItsOwn() {
        FakeWorker one = worker(scheduler, 4);
        submit("""
                millrace: v1
                name: iterations
                steps:
                  - id: loop
                    for_each: [1, 2]
                    parallelism: 2
                    steps:
                      - id: box
                        same_worker: true
                        steps:
                          - {id: a, handler: h}
                          - {id: b, handler: h}
                """);
        List<Delivery> first = List.of(one.nextDelivery(), one.nextDelivery());
        assertThat(folder(first.get(0))).isNotEqualTo(folder(first.get(1)));
        first.forEach(delivery -> succeed(one, delivery));
        List<UUID> second = new ArrayList<>(List.of(folder(one.nextDelivery()), folder(one.nextDelivery())));
        assertThat(second).containsExactlyInAnyOrder(folder(first.get(0)), folder(first.get(1)));
    }

    @Test
    void forgetsTheGroupsOfARunThatIsCanceled() {
        FakeWorker one = worker(scheduler, 1);
        RunId run = submit(WHOLE_RUN);
        Delivery a = one.nextDelivery();
        succeed(one, a);
        one.nextDelivery();

        fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");

        assertThat(one.nextEndedFolder()).isEqualTo(folder(a));
        assertThat(groups()).isEmpty();
    }

    private FakeWorker worker(OneScheduler on, int slots) {
        return on.connect(fixture.ids, slots, "handler:h");
    }

    private RunId submit(String flow) {
        return fixture.submit(scheduler, fixture.flowRun(fixture.flow(flow), "{}"));
    }

    private void succeed(FakeWorker worker, Delivery delivery) {
        succeed(scheduler, worker, delivery);
    }

    private void succeed(OneScheduler on, FakeWorker worker, Delivery delivery) {
        fixture.succeed(on, worker, delivery, "1");
    }

    private static UUID folder(Delivery delivery) {
        return delivery.lease().job().group().orElseThrow().id();
    }

    /** Returns step keys and tags of the run's queue entries. */
    private List<String> queued(RunId run) {
        return fixture.database.run(context -> context.fetch(
                        "select step_key || '|' || case when step_key = '' then '' else tag end from job_queue"
                                + " where run_id = ? order by step_key collate \"C\"",
                        run.value())
                .getValues(0, String.class));
    }

    private List<String> jobs() {
        return fixture.database.run(context -> context.fetch(
                        "select step_key || '|' || case when step_key = '' then '' else tag end from job_queue"
                                + " order by step_key collate \"C\"")
                .getValues(0, String.class));
    }

    private List<String> tags(RunId run) {
        return fixture.database.run(
                context -> context.fetch("select tag from job_history where run_id = ?", run.value())
                        .getValues(0, String.class));
    }

    private List<String> groups() {
        return fixture.database.run(
                context -> context.fetch("select id::text from worker_group").getValues(0, String.class));
    }

    /**
     * If a plan is dropped, its decisions must be made again. The second step starts a run, and this move is not
     * prepared at first.
     */
    @Test
    void choosesTheWorkerOfAGroupEvenIfItsEndIsPlannedTwice() {
        fixture.flow("{millrace: v1, name: other, steps: [{id: x, handler: other}]}");
        FakeWorker one = worker(scheduler, 1);
        RunId run = submit("""
                millrace: v1
                name: computing
                steps:
                  - id: box
                    same_worker: true
                    steps:
                      - {id: a, handler: h}
                      - {id: b, handler: h, needs: []}
                      - {id: c, start: {flow: other}, needs: [a]}
                      - {id: d, value: "${{ [1, 2].map(n => n + 1) }}", needs: [c]}
                """);

        succeed(one, one.nextDelivery());
        succeed(one, one.nextDelivery());
        one.nextAck();
        one.nextAck();

        assertThat(fixture.history(run)).contains("|1|1|[2,3]", "box.b|1|1|1");
        assertThat(groups()).isEmpty();
    }

    private void failStep(RunId run, String stepKey, JobError error, String tag) {
        scheduler
                .lanes()
                .<Void>demand(run, done -> FailStep.of(run, stepKey, error, tag, done))
                .join();
    }
}
