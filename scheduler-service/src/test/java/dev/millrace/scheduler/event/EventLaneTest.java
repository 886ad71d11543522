package dev.millrace.scheduler.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.Scope;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.eventlog.RecordingChanged;
import dev.millrace.scheduler.lane.FakeWorker;
import dev.millrace.scheduler.lane.LaneFixture;
import dev.millrace.scheduler.lane.LaneFixture.OneScheduler;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which events the flushes of lanes store, and that a reader misses none from its registration on. */
class EventLaneTest {
    private static final int ROUNDS = 6;
    private static final int RUNS_A_ROUND = 20;
    private static final Position START = new Position(1, 0, 0, 0);

    private LaneFixture fixture;
    private EventBus bus;
    private Recording recording;
    private OneScheduler scheduler;
    private FakeWorker worker;
    private EventStore store;

    @BeforeEach
    void start() {
        fixture = new LaneFixture();
        bus = new EventBus();
        recording = new Recording(fixture.database, bus).start();
        scheduler = fixture.startRecording(2, bus, recording);
        worker = scheduler.connect(fixture.ids, 10, "handler:h");
        store = new EventStore(fixture.database);
    }

    @AfterEach
    void stop() {
        recording.close();
        fixture.close();
    }

    @Test
    void storesNothingWhileNobodyFollows() {
        fixture.submit(scheduler, fixture.handlerRun("h", "{}", RetryPolicy.NONE));
        fixture.succeed(scheduler, worker, worker.nextDelivery(), "1");
        worker.nextAck();

        assertThat(events()).isEmpty();
    }

    @Test
    void storesWhatHappensToARunOfAFlow() throws InterruptedException {
        recording.require(Workspace.DEFAULT, Scope.STEPS, false);
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                millrace: v1
                name: flow
                steps:
                  - {id: a, handler: h, retry: {max_retries: 1}}
                  - {id: b, wait: {for: 1h}}
                """), "{}"));
        end(new AttemptResult.Failed(new JobError("Busy", "Try again.", "", true)));
        end(new AttemptResult.Succeeded(new Json("1")));
        fixture.operate(scheduler, run, new RunOperation.Pause(), "lunch");
        fixture.operate(scheduler, run, new RunOperation.Resume(), "");
        fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");

        assertThat(texts())
                // A lane that has yet to find out that nothing waited before its worker came queues its first step.
                .filteredOn(text -> !text.equals("step.queued flow a"))
                .containsExactly(
                        "run.accepted flow",
                        "run.started flow",
                        "step.started flow a",
                        "step.requeued flow a",
                        "step.started flow a",
                        "step.succeeded flow a",
                        "wait.began flow b",
                        "run.paused flow",
                        "run.resumed flow",
                        "wait.canceled flow b",
                        "run.canceled flow");
        assertThat(events()).allMatch(event -> event.run().equals(Optional.of(run)));
        assertThat(events().getLast().detail()).contains("The run was canceled: enough");
    }

    @Test
    void tellsWhatAnApprovalAsksFor() throws InterruptedException {
        recording.require(Workspace.DEFAULT, Scope.RUNS, false);
        fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                millrace: v1
                name: flow
                inputs: {what: {type: string}}
                steps:
                  - {id: a, wait: {approval: boss, details: {title: "Ship ${{ inputs.what }}"}}}
                """), "{\"what\": \"" + "🚢".repeat(300) + "\"}"));

        assertThat(events())
                .filteredOn(event -> event.type().equals("approval.requested"))
                .singleElement()
                .extracting(StoredEvent::detail)
                .asString()
                .contains("\"title\":\"Ship " + "🚢".repeat(194) + "…\"");
    }

    @Test
    void storesNoStepsForReadersOfRuns() throws InterruptedException {
        recording.require(Workspace.DEFAULT, Scope.RUNS, false);
        RunId run = fixture.submit(scheduler, fixture.flowRun(fixture.flow("""
                millrace: v1
                name: flow
                steps:
                  - {id: a, handler: h, retry: {max_retries: 1}}
                  - {id: b, wait: {for: 1h}}
                """), "{}"));
        end(new AttemptResult.Failed(new JobError("Busy", "Try again.", "", true)));
        end(new AttemptResult.Succeeded(new Json("1")));
        fixture.operate(scheduler, run, new RunOperation.Cancel(), "enough");

        assertThat(texts())
                .containsExactly(
                        "run.accepted flow",
                        "run.started flow",
                        "wait.began flow b",
                        "wait.canceled flow b",
                        "run.canceled flow");
    }

    @Test
    void keepsTheRecordingOfStepsApartFromThatOfRuns() throws InterruptedException {
        recording.require(Workspace.DEFAULT, Scope.STEPS, true);
        Recording.Complete runs = recording.require(Workspace.DEFAULT, Scope.RUNS, false);
        recording.release(Workspace.DEFAULT, Scope.STEPS);
        fixture.database.run(
                context -> context.execute("update event_recording set until = now() where scope = 'steps'"));
        recording.runOnce();

        assertThat(recording.known().runs()).containsExactly(Workspace.DEFAULT);
        assertThat(recording.known().steps()).isEmpty();
        assertThat(recording.require(Workspace.DEFAULT, Scope.RUNS, false).since())
                .isGreaterThanOrEqualTo(runs.since());
    }

    @Test
    void storesWhatHappensToARunOfAHandlerThatWaitsForAWorker() throws InterruptedException {
        recording.require(Workspace.DEFAULT, Scope.STEPS, false);
        fixture.submit(scheduler, fixture.handlerRun("later", "{}", RetryPolicy.NONE));
        FakeWorker late = scheduler.connect(fixture.ids, 1, "handler:later");
        fixture.end(scheduler, late, late.nextDelivery(), new AttemptResult.Failed(JobError.permanent("Bad", "No.")));
        late.nextAck();

        assertThat(texts()).containsExactly("run.accepted later", "run.started later", "run.failed later");
        assertThat(events().getLast().detail()).contains("\"error\"", "\"Bad\"");
    }

    /** A lane that has no connection holds no lock, so nobody waits for it. */
    @Test
    void recordsWhatIsFirstRequiredWhileALaneConnects() throws InterruptedException {
        EventBus otherBus = new EventBus();
        try (Recording late = new Recording(fixture.database, otherBus).start()) {
            OneScheduler connecting = fixture.startRecording(1, otherBus, late, () -> require(recording));
            fixture.submit(connecting, fixture.handlerRun("first", "{}", RetryPolicy.NONE));

            assertThat(texts()).containsExactly("run.accepted first");
        }
    }

    private static void require(Recording recording) {
        try {
            var _ = recording.require(Workspace.DEFAULT, Scope.STEPS, false);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Lanes of several schedulers flush all the time, and lose their connections; readers come and go. */
    @Test
    void missesNothingThatIsSubmittedOnceAReaderIsRegistered() throws InterruptedException {
        EventBus otherBus = new EventBus();
        try (Recording other = new Recording(fixture.database, otherBus).start()) {
            bus.subscribe(RecordingChanged.class, _ -> other.wake());
            otherBus.subscribe(RecordingChanged.class, _ -> recording.wake());
            OneScheduler second = fixture.startRecording(2, otherBus, other);
            Random random = new Random(20_261_126);
            for (int round = 0; round < ROUNDS; round++) {
                Workspace unrelated = Workspace.of("unrelated" + round);
                AtomicBoolean stop = new AtomicBoolean();
                Thread load = Thread.ofPlatform().start(() -> keepBusy(second, stop));
                Recording registrar = random.nextBoolean() ? recording : other;
                registrar.require(unrelated, Scope.RUNS, random.nextBoolean());
                if (random.nextBoolean()) {
                    fixture.database.run(context -> context.fetch(LaneFixture.CUT_LANES));
                }
                registrar.require(Workspace.DEFAULT, random.nextBoolean() ? Scope.RUNS : Scope.STEPS, false);
                List<RunId> submitted = new ArrayList<>();
                for (int i = 0; i < RUNS_A_ROUND; i++) {
                    OneScheduler one = random.nextBoolean() ? scheduler : second;
                    submitted.add(submit(one));
                }
                stop.set(true);
                load.join();

                assertThat(recordedRuns()).containsAll(submitted);
                fixture.database.run(context -> context.execute("update event_recording set until = now()"));
                recording.runOnce();
            }
        }
    }

    @Test
    void goesOnWithoutAGapWhileTheRecordingLasts() throws InterruptedException {
        Recording.Complete first = recording.require(Workspace.DEFAULT, Scope.STEPS, false);
        Recording.Complete again = recording.require(Workspace.DEFAULT, Scope.STEPS, false);
        fixture.database.run(context -> context.execute("update event_recording set until = now()"));
        recording.runOnce();
        fixture.submit(scheduler, fixture.handlerRun("never", "{}", RetryPolicy.NONE));
        Recording.Complete later = recording.require(Workspace.DEFAULT, Scope.STEPS, false);

        assertThat(again.since()).isEqualTo(first.since());
        assertThat(again.settled()).isGreaterThanOrEqualTo(first.settled());
        assertThat(later.since()).isGreaterThan(first.settled());
    }

    private void keepBusy(OneScheduler busy, AtomicBoolean stop) {
        while (!stop.get()) {
            submit(busy);
        }
    }

    /** Submits a run until the lane accepts it, which it does not while its connection is away. */
    private RunId submit(OneScheduler one) {
        while (true) {
            try {
                return fixture.submit(one, fixture.handlerRun("never", "{}", RetryPolicy.NONE));
            } catch (CompletionException disconnected) {
                Thread.onSpinWait();
            }
        }
    }

    private void end(AttemptResult result) {
        Delivery delivery = worker.nextDelivery();
        fixture.end(scheduler, worker, delivery, result);
        worker.nextAck();
    }

    private List<RunId> recordedRuns() {
        return events().stream()
                .filter(event -> event.type().equals("run.accepted"))
                .flatMap(event -> event.run().stream())
                .toList();
    }

    private List<String> texts() {
        return events().stream()
                .map(event -> (event.type() + " " + event.name() + " " + event.stepKey()).strip())
                .toList();
    }

    private List<StoredEvent> events() {
        List<StoredEvent> all = new ArrayList<>();
        EventStore.Batch batch = store.next(Workspace.DEFAULT, true, START, Events.BATCH_MAX);
        all.addAll(batch.events());
        while (!batch.isLast() || batch.isHeldUp()) {
            batch = store.next(Workspace.DEFAULT, true, batch.end(), Events.BATCH_MAX);
            all.addAll(batch.events());
        }
        return all;
    }
}
