package dev.millrace.scheduler.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.operation.LaneOperations;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.ChildNoteKind;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.signal.DueWait;
import dev.millrace.scheduler.start.RunStart;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests child runs: what they leave in the database, and that each parent is told once. */
class ChildRunLaneTest {
    private static final String CHILD = """
            millrace: v1
            name: child
            inputs: {k: {type: any}}
            steps:
              - {id: a, handler: h, input: {k: "${{ inputs.k }}"}}
            """;
    private static final String PARENT = """
            millrace: v1
            name: parent
            steps:
              - {id: call, flow: child, as: run, input: {k: 7}}
              - {id: after, handler: h}
            """;
    private static final String RETRYING = """
            millrace: v1
            name: retrying
            steps:
              - {id: call, flow: child, as: run, input: {k: 7}, retry: {max_retries: 1}}
            """;
    private static final String LIMITED = """
            millrace: v1
            name: limited
            steps:
              - id: outer
                retry: {max_retries: 1}
                for_each: [1]
                steps: [{id: call, flow: child, as: run, timeout: 1h}]
            """;
    private static final int ROUNDS = 30;
    private static final int MORE_THAN_ONE_PAGE = 150;
    private static final Outcome DONE = new Outcome.Succeeded(new Json("1"));

    private LaneFixture fixture;
    private OneScheduler scheduler;
    private OneScheduler other;
    private FakeWorker worker;
    private String child;

    @BeforeEach
    void start() {
        fixture = new LaneFixture();
        scheduler = fixture.start(2);
        other = fixture.start(1);
        worker = scheduler.connect(fixture.ids, 10, "handler:h");
        child = fixture.flow(CHILD);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void endsTheStepOnceHoweverOftenItsEndIsReported() {
        RunId parent = submit(PARENT);
        RunId run = toStart();
        begin(run);
        assertThat(notes()).isEmpty();
        end(worker.nextDelivery(), new AttemptResult.Succeeded(new Json("{\"sum\":3}")));

        EndedChild told = noted(run, new Outcome.Succeeded(new Json("{\"sum\":3}")));
        CompletableFuture.allOf(scheduler.childEnded(told), scheduler.childEnded(told), other.childEnded(told))
                .join();
        other.childEnded(told).join();

        assertThat(notes()).isEmpty();
        assertThat(fixture.history(parent)).containsExactly("call|1|1|{\"sum\":3}");
        assertThat(origins()).containsExactly(run + "|" + parent + "|child_run|call|1");
        Delivery after = next();
        assertThat(after.lease().job().stepKey()).isEqualTo("after");
        end(after, new AttemptResult.Succeeded(new Json("2")));
        assertThat(fixture.history(parent)).contains("|1|1|2");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void addsTheIdOfTheRunToItsResultOnRequest() {
        RunId parent = submit(PARENT.replace("as: run", "as: run, run_id_as: id"));
        RunId run = toStart();
        begin(run);
        end(worker.nextDelivery(), new AttemptResult.Succeeded(new Json("{\"sum\":3}")));

        other.childEnded(noted(run, new Outcome.Succeeded(new Json("{\"sum\":3}"))))
                .join();

        assertThat(fixture.history(parent)).containsExactly("call|1|1|{\"id\":\"" + run + "\",\"sum\":3}");
    }

    @Test
    void isToldByWhicheverSchedulerFindsTheNote() {
        RunId parent = submit(PARENT);
        RunId run = toStart();
        begin(run);
        end(worker.nextDelivery(), new AttemptResult.Failed(new JobError("E", "no", "", true)));
        scheduler.lanes().close();

        other.childEnded(noted(run, new Outcome.Failed(JobError.permanent("E", "Step \"a\" failed: no"))))
                .join();

        assertThat(fixture.history(parent)).containsExactly("|2|1|E", "call|2|1|E");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void startsAnotherRunWhenTheStepIsRetried() {
        RunId parent = submit(RETRYING);
        RunId first = toStart();
        begin(first);
        end(worker.nextDelivery(), new AttemptResult.Failed(new JobError("E", "no", "", false)));
        EndedChild told = noted(first, new Outcome.Failed(JobError.permanent("E", "no")));
        scheduler.childEnded(told).join();

        RunId second = toStart();
        assertThat(second).isNotEqualTo(first);
        other.childEnded(told).join();
        assertThat(toStart()).isEqualTo(second);

        begin(second);
        end(worker.nextDelivery(), new AttemptResult.Succeeded(new Json("5")));
        scheduler
                .childEnded(noted(second, new Outcome.Succeeded(new Json("5"))))
                .join();
        assertThat(fixture.history(parent)).contains("|1|1|5");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void notesThatNobodyWaitsAnymore() {
        RunId canceled = submit(PARENT);
        RunId child = toStart();
        fixture.operate(scheduler, canceled, new RunOperation.Cancel(), "");
        assertThat(notes()).containsExactly(child + "|2|" + canceled + "|call");

        // The end of the child run comes late: nobody waits for it anymore.
        fixture.operate(other, child, new RunOperation.Cancel(), "");
        assertThat(notes()).contains(child + "|1|" + canceled + "|call");
        other.childEnded(noted(child, DONE)).join();

        assertThat(notes()).containsExactly(child + "|2|" + canceled + "|call");
        assertThat(fixture.history(canceled)).containsExactly("|3|1|Canceled", "call|3|1|Canceled");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void notesThatTheStepWasSkipped() {
        RunId parent = submit(PARENT);
        RunId child = toStart();

        fixture.operate(other, parent, new RunOperation.Skip("call", new Json("{\"sum\":0}")), "");

        assertThat(notes()).containsExactly(child + "|2|" + parent + "|call");
        assertThat(next().lease().job().stepKey()).isEqualTo("after");
    }

    @Test
    void tellsOfNoRunThatBeginsInThePlaceOfAnother() {
        RunId parent = submit(LIMITED);
        RunId first = toStart();
        UUID limit = fixture.database.run(
                context -> context.fetchSingle("select id from job_queue where step_key = 'outer[0].call#limit'")
                        .get(0, UUID.class));

        scheduler
                .waitDue(new DueWait(new JobId(limit), parent, "outer[0].call#limit", false))
                .join();

        assertThat(notes()).containsExactly(first + "|2|" + parent + "|outer[0].call");
        assertThat(all("select id::text from job_queue where state = 7")).hasSize(2);
        assertThat(all("select target from job_queue where kind = 15"))
                .singleElement()
                .isNotEqualTo(first.toString());
    }

    @Test
    void isToldThatARunWasCanceledBeforeItBegan() {
        RunId parent = submit(PARENT);
        RunId child = toStart();
        fixture.operate(other, child, new RunOperation.Cancel(), "enough");

        scheduler
                .childEnded(noted(child, new Outcome.Canceled(JobError.permanent("Canceled", "enough"))))
                .join();

        assertThat(fixture.history(parent)).containsExactly("|2|1|Canceled", "call|3|1|Canceled");
    }

    @Test
    void cancelsARunThatAnotherSchedulerBeginsMeanwhile() {
        for (int round = 0; round < ROUNDS; round++) {
            submit(PARENT);
            RunId run = toStart();
            CompletableFuture<?> begun = other.start(begun(run, child, "{\"k\":7}"));
            fixture.operate(scheduler, run, new RunOperation.Cancel(), "");
            begun.join();
            assertThat(fixture.history(run)).contains("|3|1|Canceled");
            assertThat(all("select 1::text from job_queue where run_id = '" + run + "'"))
                    .isEmpty();
        }
    }

    @Test
    void isNotToldOfALaterEnd() {
        RunId parent = submit(PARENT);
        RunId run = toStart();
        begin(run);
        end(worker.nextDelivery(), new AttemptResult.Failed(new JobError("E", "no", "", false)));
        scheduler
                .childEnded(noted(run, new Outcome.Failed(JobError.permanent("E", "no"))))
                .join();

        fixture.operate(scheduler, run, new RunOperation.Retry(), "");
        end(next(), new AttemptResult.Succeeded(new Json("4")));
        scheduler.childEnded(noted(run, new Outcome.Succeeded(new Json("4")))).join();

        assertThat(notes()).isEmpty();
        assertThat(fixture.history(run)).contains("|1|1|4");
        assertThat(fixture.history(parent)).containsExactly("|2|1|E", "call|2|1|E");
        assertThat(fixture.queued()).isZero();
    }

    @Test
    void startsAnotherRunWhenTheParentIsRetried() {
        RunId parent = submit(PARENT);
        RunId first = toStart();
        fixture.operate(scheduler, parent, new RunOperation.Cancel(), "");
        fixture.operate(scheduler, first, new RunOperation.Cancel(), "");

        fixture.operate(other, parent, new RunOperation.Retry(), "");

        RunId second = toStart();
        assertThat(second).isNotEqualTo(first);
        begin(second);
        end(worker.nextDelivery(), new AttemptResult.Succeeded(new Json("1")));
        scheduler.childEnded(noted(second, DONE)).join();
        assertThat(next().lease().job().stepKey()).isEqualTo("after");
    }

    @Test
    void startsNoRunThatWouldBeTooDeep() {
        submit(PARENT);
        RunId run = toStart();
        fixture.database.run(
                context -> context.execute("update run_origin set depth = ?", FlowLimits.CHILD_RUN_DEPTH_MAX));

        start(run, fixture.flow(PARENT), "{}");

        assertThat(fixture.history(run)).containsExactly("|2|1|RunsTooDeep", "call|2|1|RunsTooDeep");
        assertThat(all("select id::text from job_queue where state = 7")).isEmpty();
    }

    @Test
    void isToldEvenIfManyEarlierNotesFail() {
        RunId parent = submit(PARENT);
        UUID wait = fixture.database.run(context ->
                context.fetchSingle("select id from job_queue where kind = 15").get(0, UUID.class));
        for (int i = 0; i < MORE_THAN_ONE_PAGE; i++) {
            noteEnd(fixture.ids.nextRun(), parent, wait);
        }
        RunId last = fixture.ids.nextRun();
        noteEnd(last, fixture.ids.nextRun(), fixture.ids.nextUuid());
        fixture.models.clear();
        fixture.compiled.clear();

        Lanes lanes = fixture.start(1).lanes();
        try (ChildOutbox _ =
                ChildOutbox.start(fixture.database, new EventBus(), lanes, new LaneOperations(lanes, fixture.ids))) {
            while (notes().stream().anyMatch(note -> note.startsWith(last.toString()))) {
                Thread.onSpinWait();
            }
        }

        assertThat(notes()).hasSize(MORE_THAN_ONE_PAGE);
    }

    /** A lane's thread announces that a run is canceled, and must not wait for the database. */
    @Test
    void letsNoLaneRemoveNotes() throws Exception {
        note(fixture.ids.nextRun(), ChildNoteKind.ABANDONED, fixture.ids.nextRun(), fixture.ids.nextUuid());
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<OperationResult> canceled = new CompletableFuture<>();
        RunOperations operations = new RunOperations() {
            @Override
            public CompletableFuture<OperationResult> operate(RunId run, RunOperation operation, OperationNote note) {
                asked.countDown();
                return canceled;
            }

            @Override
            public CompletableFuture<OperationResult> rerun(Rerun rerun, OperationNote note) {
                throw new AssertionError();
            }
        };
        try (ChildOutbox _ = ChildOutbox.start(fixture.database, new EventBus(), scheduler.lanes(), operations)) {
            asked.await();
            // Whoever removes the note waits until the transaction ends.
            fixture.database.transaction(context -> {
                context.execute("lock table child_note in exclusive mode");
                CompletableFuture.runAsync(() -> canceled.complete(new OperationResult.Done(true)))
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join();
                return true;
            });
            while (!notes().isEmpty()) {
                Thread.onSpinWait();
            }
        }
    }

    private void noteEnd(RunId run, RunId parent, UUID wait) {
        note(run, ChildNoteKind.ENDED, parent, wait);
    }

    private void note(RunId run, ChildNoteKind kind, RunId parent, UUID wait) {
        fixture.database.run(context -> context.execute(
                "insert into child_note (child_run_id, kind, parent_run_id, step_key, wait_id) values (?, ?, ?, 'call', ?)",
                run.value(),
                kind.code(),
                parent.value(),
                wait));
    }

    private RunId submit(String flow) {
        return fixture.submit(scheduler, fixture.flowRun(fixture.flow(flow), "{}"));
    }

    private RunId toStart() {
        List<String> ids = all("select id::text from job_queue where state = 7");
        assertThat(ids).hasSize(1);
        return RunId.parse(ids.getFirst());
    }

    private void begin(RunId run) {
        start(run, child, "{\"k\":7}");
    }

    private void start(RunId run, String hash, String input) {
        scheduler.start(begun(run, hash, input)).join();
    }

    private RunStart begun(RunId run, String hash, String input) {
        return RunStart.Begun.of(
                run, 0, hash, Optional.ofNullable(fixture.models.get(hash)).orElseThrow(), new Json(input));
    }

    private void end(Delivery delivery, AttemptResult result) {
        fixture.end(scheduler, worker, delivery, result);
        assertThat(worker.nextAck().refusal()).isEmpty();
    }

    private Delivery next() {
        // Another scheduler may have enqueued the job, so tell this one to look.
        scheduler.lanes().anythingMayWait();
        return worker.nextDelivery();
    }

    /** Returns the end of a child run as its note describes it, with a given outcome. */
    private EndedChild noted(RunId run, Outcome outcome) {
        return fixture.database.run(context -> context.fetchSingle(
                        "select parent_run_id, step_key, wait_id from child_note where child_run_id = ? and kind = 1",
                        run.value())
                .map(row -> new EndedChild(
                        run,
                        new RunId(row.get(0, UUID.class)),
                        row.get(1, String.class),
                        new JobId(row.get(2, UUID.class)),
                        outcome)));
    }

    private List<String> notes() {
        return all(
                "select child_run_id || '|' || kind || '|' || parent_run_id || '|' || step_key from child_note order by kind");
    }

    private List<String> origins() {
        return all(
                "select run_id || '|' || origin_run_id || '|' || relation || '|' || step_key || '|' || depth from run_origin");
    }

    private List<String> all(String sql) {
        return fixture.database.run(context -> context.fetch(sql).getValues(0, String.class));
    }
}
