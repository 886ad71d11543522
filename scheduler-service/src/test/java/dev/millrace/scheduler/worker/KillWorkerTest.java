package dev.millrace.scheduler.worker;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.KillWorkerRequest;
import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.UUID;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests which workers an owner may kill. */
class KillWorkerTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private final WorkerServiceGrpc.WorkerServiceBlockingStub service =
            WorkerServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @Test
    void workersForTrialsAreKilledAndNoOthers() {
        try (HandlerWorker trial = new HandlerWorker(
                        SCHEDULER.channel(), Hello.newBuilder().setKillable(true));
                HandlerWorker earnest = new HandlerWorker(SCHEDULER.channel(), Hello.newBuilder())) {
            String killable = trial.welcome().getSessionId();
            String kept = earnest.welcome().getSessionId();
            assertThat(service.listWorkers(ListWorkersRequest.getDefaultInstance())
                            .getWorkersList())
                    .filteredOn(Worker::getKillable)
                    .extracting(Worker::getSessionId)
                    .containsExactly(killable);

            kill(killable);

            trial.awaitKill();
            assertThat(refusal(kept)).isEqualTo(Status.Code.FAILED_PRECONDITION);
        }
    }

    @Test
    void unknownSessionsAreRefused() {
        assertThat(refusal(new SessionId(new UUID(1, 2)).toString())).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(refusal("local")).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    private void kill(String session) {
        var _ = service.killWorker(
                KillWorkerRequest.newBuilder().setSessionId(session).build());
    }

    private Status.Code refusal(String session) {
        return code(Assertions.catchThrowableOfType(StatusRuntimeException.class, () -> kill(session)));
    }
}
