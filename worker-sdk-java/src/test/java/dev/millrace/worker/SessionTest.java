package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import dev.millrace.proto.worker.v1.HeldLease;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.WorkerLogs;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.TestLeases;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The session across lost connections. The handler ends a job when the test says so. */
final class SessionTest {
    private final FakeScheduler scheduler = new FakeScheduler();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final Worker worker = Worker.connect(scheduler.target())
            .slots(2)
            .handle("h", this::endWhenTold)
            .stopTimeout(java.time.Duration.ofMillis(200))
            .start();

    private Object endWhenTold(JobContext context) {
        context.log("begun");
        try {
            return ends.take();
        } catch (InterruptedException e) {
            interrupted.countDown();
            return "interrupted";
        }
    }

    @AfterEach
    void stop() {
        scheduler.close();
        worker.close();
    }

    private FakeSession connect() throws InterruptedException {
        return scheduler.awaitSession().welcome("s1");
    }

    private static HeldLease held(Lease lease) {
        return HeldLease.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .build();
    }

    private FakeSession resume() throws InterruptedException {
        FakeSession session = scheduler.awaitSession();
        Hello hello = session.awaitHello();
        assertThat(hello.getSessionId()).isEqualTo("s1");
        assertThat(hello.getResumeToken()).isEqualTo("token of s1");
        return session;
    }

    private void awaitInterrupt() throws InterruptedException {
        assertThat(interrupted.await(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS))
                .as("the job was interrupted")
                .isTrue();
    }

    @Test
    void leasesRunAndTheirResultsCarryTheToken() throws Exception {
        FakeSession session = connect();
        Lease lease = TestLeases.handler("h", "{}");

        session.lease(lease);
        session.awaitStarted(lease.getJobId());
        ends.add("ok");

        JobResult result = session.awaitAndAcceptResult();
        assertThat(result.getLeaseToken()).isEqualTo(lease.getLeaseToken());
        assertThat(result.getResult().toStringUtf8()).isEqualTo("\"ok\"");
        assertThat(result.hasRunDuration()).isTrue();
    }

    @Test
    void aLeaseThatComesTwiceRunsOnce() throws Exception {
        FakeSession session = connect();
        Lease lease = TestLeases.handler("h", "{}");
        Lease other = TestLeases.handler("h", "{}");

        session.lease(lease, lease);
        ends.add("ok");
        session.awaitAndAcceptResult();
        session.lease(other);
        ends.add("ok");

        assertThat(session.awaitAndAcceptResult().getJobId()).isEqualTo(other.getJobId());
    }

    @Test
    void aLeaseWhoseResultWasAcknowledgedDoesNotBeginAgain() throws Exception {
        FakeSession session = connect();
        Lease lease = TestLeases.handler("h", "{}");
        session.lease(lease);
        ends.add("ok");
        session.awaitAndAcceptResult();

        session.lease(failingAtOnce(lease));

        assertThatOnlyANewLeaseRuns(session);
    }

    @Test
    void aLeaseThatWasCanceledDoesNotBeginAgain() throws Exception {
        FakeSession session = connect();
        Lease lease = TestLeases.handler("h", "{}");
        session.lease(lease);
        session.awaitStarted(lease.getJobId());
        session.cancel(lease);
        awaitInterrupt();

        session.lease(failingAtOnce(lease));

        assertThatOnlyANewLeaseRuns(session);
    }

    @Test
    void aLeaseThatArrivesAfterItsCancellationDoesNotBegin() throws Exception {
        FakeSession session = connect();
        Lease lease = TestLeases.handler("h", "{}");

        session.cancel(lease);
        session.lease(failingAtOnce(lease));

        assertThatOnlyANewLeaseRuns(session);
    }

    @Test
    void aLeaseThatEndedDoesNotBeginOnANewStreamOfItsSession() throws Exception {
        FakeSession first = connect();
        Lease lease = TestLeases.handler("h", "{}");
        first.lease(lease);
        ends.add("ok");
        first.awaitAndAcceptResult();
        first.fail(Status.UNAVAILABLE);
        FakeSession second = resume();
        second.welcome("s1", true, welcome -> welcome);

        second.lease(failingAtOnce(lease));

        assertThatOnlyANewLeaseRuns(second);
    }

    @Test
    void aNewSessionKnowsNothingOfLeasesThatEndedInTheOneBefore() throws Exception {
        FakeSession first = connect();
        Lease lease = TestLeases.handler("h", "{}");
        first.lease(lease);
        ends.add("ok");
        first.awaitAndAcceptResult();
        first.fail(Status.FAILED_PRECONDITION);
        FakeSession second = scheduler.awaitSession().welcome("s2");

        second.lease(lease);
        ends.add("again");

        assertThat(second.awaitAndAcceptResult().getJobId()).isEqualTo(lease.getJobId());
    }

    /** The lease with a handler that the worker lacks: if it began, its result would leave before any other. */
    private static Lease failingAtOnce(Lease lease) {
        return lease.toBuilder().setHandler("missing").build();
    }

    private void assertThatOnlyANewLeaseRuns(FakeSession session) throws InterruptedException {
        Lease next = TestLeases.handler("h", "{}");
        session.lease(next);
        ends.add("ok");
        assertThat(session.awaitAndAcceptResult().getJobId()).isEqualTo(next.getJobId());
    }

    @Test
    void aLostConnectionIsResumedWithItsLeasesAndUnacknowledgedResults() throws Exception {
        FakeSession first = connect();
        Lease ended = TestLeases.handler("h", "{}");
        Lease running = TestLeases.handler("h", "{}");
        first.lease(ended);
        ends.add("ended");
        first.awaitResult();
        first.lease(running);
        first.awaitStarted(running.getJobId());

        first.fail(Status.UNAVAILABLE);

        FakeSession second = resume();
        assertThat(second.awaitHello().getHeldLeasesList()).containsExactlyInAnyOrder(held(ended), held(running));
        second.welcome("s1", true, welcome -> welcome);
        assertThat(second.awaitAndAcceptResult().getJobId()).isEqualTo(ended.getJobId());
        second.awaitStarted(running.getJobId());
        ends.add("running");
        assertThat(second.awaitAndAcceptResult().getJobId()).isEqualTo(running.getJobId());
    }

    @Test
    void aResultThatEndsWhileDisconnectedIsSentAfterwards() throws Exception {
        FakeSession first = connect();
        Lease lease = TestLeases.handler("h", "{}");
        first.lease(lease);
        first.awaitStarted(lease.getJobId());
        first.fail(Status.UNAVAILABLE);
        FakeSession second = resume();

        ends.add("late");
        second.welcome("s1", true, welcome -> welcome);

        assertThat(second.awaitAndAcceptResult().getResult().toStringUtf8()).isEqualTo("\"late\"");
    }

    @Test
    void logBatchesThatAreNotStoredAreSentAgain() throws Exception {
        FakeSession first = connect();
        first.stopAcknowledgingLogs();
        Lease lease = TestLeases.handler("h", "{}");
        first.lease(lease);
        first.awaitLog(lease.getJobId(), "begun");
        List<WorkerLogs> lost = first.logBatches();
        first.fail(Status.UNAVAILABLE);

        FakeSession second = resume();
        second.welcome("s1", true, welcome -> welcome.setLogsAcknowledged(0));

        second.awaitLog(lease.getJobId(), "begun");
        assertThat(second.logBatches()).isEqualTo(lost);
    }

    @Test
    void storedLogBatchesAreNotSentAgain() throws Exception {
        FakeSession first = connect();
        first.stopAcknowledgingLogs();
        Lease lease = TestLeases.handler("h", "{}");
        first.lease(lease);
        first.awaitLog(lease.getJobId(), "begun");
        first.fail(Status.UNAVAILABLE);

        FakeSession second = resume();
        second.welcome("s1", true, welcome -> welcome.setLogsAcknowledged(1));
        ends.add("ok");

        second.awaitAndAcceptResult();
        assertThat(second.logBatches()).isEmpty();
    }

    @Test
    void aSessionThatIsNotResumedDropsWhatItHeld() throws Exception {
        FakeSession first = connect();
        Lease lease = TestLeases.handler("h", "{}");
        first.lease(lease);
        first.awaitStarted(lease.getJobId());
        first.fail(Status.UNAVAILABLE);

        FakeSession second = resume();
        second.welcome("s2");

        awaitInterrupt();
        Lease next = TestLeases.handler("h", "{}");
        second.lease(next);
        ends.add("ok");
        assertThat(second.awaitAndAcceptResult().getJobId()).isEqualTo(next.getJobId());
    }

    @Test
    void aSessionThatCannotBeResumedIsFollowedByANewOne() throws Exception {
        FakeSession first = connect();
        Lease lease = TestLeases.handler("h", "{}");
        first.lease(lease);
        // A job that has not begun when the connection ends does not begin, and so is not interrupted.
        first.awaitStarted(lease.getJobId());
        first.fail(Status.UNAVAILABLE);

        resume().fail(Status.FAILED_PRECONDITION.withDescription("The session has expired."));

        FakeSession third = scheduler.awaitSession();
        assertThat(third.awaitHello().getSessionId()).isEmpty();
        assertThat(third.awaitHello().getHeldLeasesList()).isEmpty();
        awaitInterrupt();
        third.welcome("s2");
        third.lease(TestLeases.handler("h", "{}"));
        ends.add("ok");
        third.awaitAndAcceptResult();
    }

    @Test
    void aRefusedResultIsForgotten() throws Exception {
        FakeSession first = connect();
        first.lease(TestLeases.handler("h", "{}"));
        ends.add("late");
        first.acknowledge(first.awaitResult(), ResultAck.Disposition.DISPOSITION_REFUSED);
        Lease next = TestLeases.handler("h", "{}");
        first.lease(next);
        first.awaitStarted(next.getJobId());
        first.fail(Status.UNAVAILABLE);

        FakeSession second = resume();

        assertThat(second.awaitHello().getHeldLeasesList()).containsExactly(held(next));
    }

    @Test
    void reconnectsWithAllLeases() throws Exception {
        FakeSession first = connect();
        Lease lease = TestLeases.handler("h", "{}");
        first.lease(lease);
        first.awaitStarted(lease.getJobId());

        first.reconnect();

        FakeSession second = resume();
        assertThat(second.awaitHello().getHeldLeasesList()).containsExactly(held(lease));
        first.awaitEnd();
        second.welcome("s1", true, welcome -> welcome);
        ends.add("ok");
        second.awaitAndAcceptResult();
    }

    @Test
    void aSilentConnectionIsGivenUp() throws Exception {
        Duration often = Duration.newBuilder().setNanos(100_000_000).build();
        FakeSession first = scheduler.awaitSession();
        first.welcome("s1", false, welcome -> welcome.setHeartbeatInterval(often));
        first.await(OpenSessionRequest::hasHeartbeat);

        first.stopAnsweringHeartbeats();

        resume().welcome("s1", true, welcome -> welcome);
        first.awaitEnd();
    }

    @Test
    void aCanceledJobSendsNoResult() throws Exception {
        FakeSession session = connect();
        Lease canceled = TestLeases.handler("h", "{}");
        session.lease(canceled);
        session.awaitStarted(canceled.getJobId());

        session.cancel(canceled);

        awaitInterrupt();
        Lease next = TestLeases.handler("h", "{}");
        session.lease(next);
        ends.add("ok");
        assertThat(session.awaitAndAcceptResult().getJobId()).isEqualTo(next.getJobId());
    }
}
