package dev.millrace.scheduler.worker;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.explain.v1.ExplainRunRequest;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.queue.v1.ListQueuesRequest;
import dev.millrace.proto.queue.v1.Queue;
import dev.millrace.proto.queue.v1.QueueServiceGrpc;
import dev.millrace.proto.worker.v1.DrainWorkerRequest;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.ResumeWorkerRequest;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerDrain;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what drained workers still get. */
class DrainWorkerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(10);

    @RegisterExtension
    private final RunningScheduler scheduler = new RunningScheduler();

    private final WorkerServiceGrpc.WorkerServiceBlockingStub service =
            WorkerServiceGrpc.newBlockingStub(scheduler.channel());

    @Test
    void aDrainedWorkerFinishesWhatItHasAndGetsNoMore() throws Exception {
        try (HandlerWorker leaving = worker("handler:press");
                HandlerWorker fallback = worker("handler:other")) {
            String session = leaving.welcome().getSessionId();
            String first = submit("- {id: a, handler: press}\n- {id: b, handler: press}");
            Lease held = leaving.take();

            WorkerDrain drain = drain(session, "new disk");
            assertThat(drain.getReason()).isEqualTo("new disk");
            awaitHeeded();
            leaving.succeed(held, "1");
            await(() -> explanation(first).contains("are drained: \"tester\""));

            assertThat(explanation(first))
                    .isEqualTo(
                            "All connected workers that take jobs with the tag \"handler:press\" are drained: \"tester\"."
                                    + " Resume one with `millrace workers resume WORKER`.");
            assertThat(queue("handler:press").getReasonsList())
                    .containsExactly("All connected workers that take jobs with this tag are drained: \"tester\"."
                            + " Resume one with `millrace workers resume WORKER`.");
            assertThat(queue("handler:press").getSlots()).isZero();
            assertThat(leaving.poll()).isEmpty();
            String other = submit("- {id: c, handler: other}");
            assertThat(fallback.take().getRunId()).isEqualTo(other);

            resume(session);

            assertThat(leaving.take().getStep()).isEqualTo("b");
            assertThat(find(session).hasDrain()).isFalse();
        }
    }

    /** No other worker has the folder of the group, so its jobs would be lost. */
    @Test
    void aDrainedWorkerGetsTheJobsThatOnlyItMayRun() throws Exception {
        try (HandlerWorker worker = worker("handler:box")) {
            String session = worker.welcome().getSessionId();
            String run = submit("""
                    - id: box
                      same_worker: true
                      steps:
                        - {id: first, handler: box}
                        - {id: second, handler: box}
                    - {id: after, handler: box}
                    """);
            Lease first = worker.take();
            drain(session, "");
            awaitHeeded();
            worker.succeed(first, "1");
            Lease second = worker.take();
            assertThat(second.getStep()).isEqualTo("box.second");
            assertThat(find(session).getDrain().getGroups()).isEqualTo(1);
            worker.succeed(second, "2");

            await(() -> explanation(run).contains("are drained"));
            assertThat(find(session).getDrain().getGroups()).isZero();
            assertThat(worker.poll()).isEmpty();
        }
    }

    /** The worker is connected to a scheduler that hears of it by a notification. */
    @Test
    void anotherSchedulerDrainsAndResumes() throws Exception {
        WorkerServiceGrpc.WorkerServiceBlockingStub other = WorkerServiceGrpc.newBlockingStub(scheduler.another());
        try (HandlerWorker worker = worker("handler:far")) {
            String session = worker.welcome().getSessionId();
            var _ = other.drainWorker(
                    DrainWorkerRequest.newBuilder().setSessionId(session).build());
            awaitHeeded();
            submit("- {id: a, handler: far}");
            assertThat(worker.poll()).isEmpty();

            var _ = other.resumeWorker(
                    ResumeWorkerRequest.newBuilder().setSessionId(session).build());

            assertThat(worker.take().getStep()).isEqualTo("a");
        }
    }

    @Test
    void tellsHowMuchOfTheSlotsIsUsed() throws Exception {
        try (HandlerWorker worker = worker("handler:busy")) {
            String session = worker.welcome().getSessionId();
            submit("- {id: a, handler: busy}");
            worker.take();

            await(() -> find(session).getOccupancy().getLast15S() > 0.5);
            assertThat(find(session).getOccupancy().getLast15S()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void unknownSessionsAndReasonsAreRefused() {
        String unknown = new SessionId(new UUID(1, 2)).toString();
        assertThat(refusal(() -> drain(unknown, ""))).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(refusal(() -> drain("local", ""))).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refusal(() -> drain(unknown, "x".repeat(501)))).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refusal(() -> resume(unknown))).isEqualTo(Status.Code.NOT_FOUND);
    }

    private HandlerWorker worker(String tag) {
        SlotGroup group = HandlerWorker.group("all", tag).setSlots(1).build();
        return new HandlerWorker(scheduler.channel(), Hello.newBuilder().addSlotGroups(group));
    }

    private WorkerDrain drain(String session, String reason) {
        return service.drainWorker(DrainWorkerRequest.newBuilder()
                        .setSessionId(session)
                        .setReason(reason)
                        .build())
                .getDrain();
    }

    private Object resume(String session) {
        return service.resumeWorker(
                ResumeWorkerRequest.newBuilder().setSessionId(session).build());
    }

    /** Waits until the scheduler gives the only drained worker no more jobs. */
    private void awaitHeeded() {
        await(() -> scheduler
                .metrics()
                .page("application/openmetrics-text")
                .text()
                .contains("millrace_worker_sessions_drained 1"));
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private Worker find(String session) {
        return service.listWorkers(ListWorkersRequest.getDefaultInstance()).getWorkersList().stream()
                .filter(worker -> worker.getSessionId().equals(session))
                .findFirst()
                .orElseThrow();
    }

    private String explanation(String run) {
        return ExplainServiceGrpc.newBlockingStub(scheduler.channel())
                .explainRun(ExplainRunRequest.newBuilder().setRunId(run).build())
                .getSteps(0)
                .getText();
    }

    private Queue queue(String tag) {
        return QueueServiceGrpc.newBlockingStub(scheduler.channel())
                .listQueues(ListQueuesRequest.getDefaultInstance())
                .getQueuesList()
                .stream()
                .filter(queue -> queue.getTag().equals(tag))
                .findFirst()
                .orElseThrow();
    }

    private String submit(String steps) {
        FlowRuns runs = new FlowRuns(scheduler);
        runs.deploy("millrace: v1\nname: drained\nsteps:\n" + steps.indent(2));
        return runs.submit("drained").getId();
    }

    private Status.Code refusal(Callable<Object> call) {
        return code(Assertions.catchThrowableOfType(StatusRuntimeException.class, call::call));
    }
}
