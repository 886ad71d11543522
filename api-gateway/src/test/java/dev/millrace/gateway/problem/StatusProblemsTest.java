package dev.millrace.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class StatusProblemsTest {
    private final StatusProblems problems = new StatusProblems("localhost:7070");

    /** gRPC says UNKNOWN where the scheduler dies while a call is being sent to it. */
    @Test
    void aConnectionThatClosesUnderACallIsASchedulerThatIsAway() {
        Status closed = Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());

        Problem problem = problems.problem(closed.asRuntimeException());

        assertThat(problem.status().code()).isEqualTo(503);
        assertThat(problem.code()).isEqualTo("unavailable");
        assertThat(problem.retryAfter()).isEqualTo(StatusProblems.UNAVAILABLE_RETRY_AFTER);
    }

    @Test
    void whatASchedulerCallsUnknownIsItsFailure() {
        Problem problem = problems.problem(Status.UNKNOWN.asRuntimeException());

        assertThat(problem.status().code()).isEqualTo(500);
    }
}
