package dev.millrace.worker.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class OutboxTest {
    private final Outbox outbox = new Outbox(() -> {});

    private LeasedJob job(int id) {
        Lease lease = Lease.newBuilder().setJobId("job" + id).setLeaseToken(id).build();
        return new LeasedJob(
                lease, new SessionLimits(Duration.ofSeconds(1), Duration.ofSeconds(15), 1 << 20, 64L << 20), outbox);
    }

    private List<OpenSessionRequest> take() {
        return outbox.take(System.nanoTime());
    }

    @Test
    void aBurstOfResultsSharesMessages() {
        for (int i = 1; i <= Outbox.RESULTS_PER_MESSAGE_MAX + 1; i++) {
            job(i).succeed(ByteString.copyFromUtf8("1"));
        }

        assertThat(take())
                .extracting(message -> message.getResults().getResultsCount())
                .containsExactly(500, 1);
        assertThat(take()).isEmpty();
    }

    @Test
    void logsLeaveBeforeTheResultOfTheirJob() {
        LeasedJob job = job(1);
        job.log(LogChunk.Stream.STREAM_STDOUT, "text");
        job.succeed(ByteString.copyFromUtf8("1"));

        assertThat(take())
                .extracting(OpenSessionRequest::getMessageCase)
                .containsExactly(OpenSessionRequest.MessageCase.LOGS, OpenSessionRequest.MessageCase.RESULTS);
    }

    @Test
    void onlyAJobThatDoesNotEndSoonIsAnnounced() {
        LeasedJob quick = job(1);
        quick.started();
        LeasedJob slow = job(2);
        slow.started();
        quick.succeed(ByteString.copyFromUtf8("1"));

        assertThat(take())
                .extracting(OpenSessionRequest::getMessageCase)
                .containsExactly(OpenSessionRequest.MessageCase.RESULTS);
        List<OpenSessionRequest> later = outbox.take(System.nanoTime() + Outbox.STARTED_DELAY_NANOS);
        assertThat(later).hasSize(1);
        assertThat(later.get(0).getStarted().getJobsList())
                .extracting(started -> started.getJobId())
                .containsExactly("job2");
    }

    @Test
    void aJobIsAnnouncedWithTheFirstOfItsLog() {
        LeasedJob job = job(1);
        job.started();
        job.log(LogChunk.Stream.STREAM_STDOUT, "text");

        assertThat(take())
                .extracting(OpenSessionRequest::getMessageCase)
                .containsExactly(OpenSessionRequest.MessageCase.LOGS, OpenSessionRequest.MessageCase.STARTED);
    }

    @Test
    @Timeout(180)
    void aJobThatGoesOnIsAnnouncedAlthoughOneBeforeItHasEnded() throws Exception {
        LeasedJob quick = job(1);
        CompletableFuture<List<OpenSessionRequest>> announced = CompletableFuture.supplyAsync(this::takeFirst);
        quick.started();
        quick.succeed(ByteString.copyFromUtf8("1"));
        assertThat(announced.get()).hasSize(1);

        CompletableFuture<List<OpenSessionRequest>> next = CompletableFuture.supplyAsync(this::takeFirst);
        job(2).started();

        assertThat(next.get().get(0).getStarted().getJobsList())
                .extracting(started -> started.getJobId())
                .containsExactly("job2");
    }

    /** The messages to send next, as the sender waits for them. */
    private List<OpenSessionRequest> takeFirst() {
        try {
            List<OpenSessionRequest> messages = take();
            while (messages.isEmpty()) {
                outbox.await(Duration.ofMinutes(1).toNanos(), true);
                messages = take();
            }
            return messages;
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    @Test
    void whatIsNotAcknowledgedIsSentAgain() {
        LeasedJob acknowledged = job(1);
        LeasedJob lost = job(2);
        acknowledged.log(LogChunk.Stream.STREAM_STDOUT, "stored");
        acknowledged.succeed(ByteString.copyFromUtf8("1"));
        List<OpenSessionRequest> first = take();
        lost.log(LogChunk.Stream.STREAM_STDOUT, "lost");
        lost.succeed(ByteString.copyFromUtf8("2"));
        List<OpenSessionRequest> second = take();
        outbox.acknowledgeResult(acknowledged.key());

        outbox.resend(first.get(0).getLogs().getBatch());

        assertThat(take()).isEqualTo(second);
    }

    @Test
    void whatIsForgottenIsNotSent() {
        LeasedJob job = job(1);
        job.succeed(ByteString.copyFromUtf8("1"));

        outbox.forget(job.key());

        assertThat(take()).isEmpty();
    }

    @Test
    void aFullBufferHoldsLogsBackUntilSomeAreStored() throws Exception {
        LeasedJob job = job(1);
        String text = "x".repeat(1 << 20);
        Thread printer = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                job.log(LogChunk.Stream.STREAM_STDOUT, text);
            }
        });
        printer.start();
        while (printer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        int received = 0;
        while (received < 20) {
            for (OpenSessionRequest message : take()) {
                received += message.getLogs().getLogsCount();
                outbox.acknowledgeLogs(message.getLogs().getBatch());
            }
        }
        printer.join();
        assertThat(outbox.awaitSettled(Duration.ZERO)).isTrue();
    }

    @Test
    void aDroppedJobIsNotHeldBack() throws Exception {
        LeasedJob job = job(1);
        Thread printer = heldBack(job);

        job.drop();
        outbox.forget(job.key());

        printer.join();
    }

    /** A handler that has timed out would else keep its slot until the scheduler has stored some logs. */
    @Test
    void aJobThatHasEndedIsNotHeldBack() throws Exception {
        LeasedJob job = job(1);
        Thread printer = heldBack(job);

        job.fail(JobErrors.timedOut(Duration.ofSeconds(1)));

        printer.join();
    }

    /** Starts a thread that prints more than there is room for, and waits until it waits. */
    private static Thread heldBack(LeasedJob job) {
        Thread printer = new Thread(() -> {
            while (job.isHeld()) {
                job.log(LogChunk.Stream.STREAM_STDOUT, "x".repeat(1 << 20));
            }
        });
        printer.start();
        while (printer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return printer;
    }
}
