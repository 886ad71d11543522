package dev.millrace.gateway.problem;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.GetRunResponse;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class StatusProblemsTest {
    private final StatusProblems problems = new StatusProblems("localhost:7070");

    /** gRPC reports UNKNOWN if the scheduler dies while a call is being sent to it. */
    @Test
    void aConnectionThatClosesUnderACallIsASchedulerThatIsAway() {
        Status closed = Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());

        Problem problem = problems.problem(closed.asRuntimeException());

        assertThat(problem.status().code()).isEqualTo(503);
        assertThat(problem.code()).isEqualTo("unavailable");
        assertThat(problem.retryAfter()).isEqualTo(StatusProblems.UNAVAILABLE_RETRY_AFTER);
    }

    /**
     * A server that stops during calls ends them without a status. gRPC reports CANCELLED, as if the caller had
     * disconnected.
     */
    @Test
    void aSchedulerThatStopsUnderACallIsAway() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        Server stopping = NettyServerBuilder.forPort(0)
                .addService(new RunServiceGrpc.RunServiceImplBase() {
                    @Override
                    public void getRun(GetRunRequest request, StreamObserver<GetRunResponse> answers) {
                        called.countDown();
                    }
                })
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("localhost", stopping.getPort())
                .usePlaintext()
                .build();
        try {
            var answer = RunServiceGrpc.newFutureStub(channel).getRun(GetRunRequest.getDefaultInstance());
            called.await();
            stopping.shutdownNow();

            Throwable failure = requireNonNull(
                    catchThrowableOfType(ExecutionException.class, answer::get).getCause());
            assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.CANCELLED);
            Problem problem = problems.problem(failure);
            assertThat(problem.status().code()).isEqualTo(503);
            assertThat(problem.code()).isEqualTo("unavailable");
            assertThat(problem.detail()).contains("may have taken effect");
        } finally {
            channel.shutdownNow();
            stopping.shutdownNow();
        }
    }

    @Test
    void whatASchedulerCallsUnknownIsItsFailure() {
        Problem problem = problems.problem(Status.UNKNOWN.asRuntimeException());

        assertThat(problem.status().code()).isEqualTo(500);
    }
}
