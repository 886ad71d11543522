package dev.millrace.scheduler.tag;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import dev.millrace.proto.explain.v1.ExplainRunRequest;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.explain.v1.Explanation.Cause;
import dev.millrace.proto.queue.v1.LimitLine;
import dev.millrace.proto.queue.v1.ListLimitsRequest;
import dev.millrace.proto.queue.v1.ListLimitsResponse;
import dev.millrace.proto.queue.v1.ListQueuesRequest;
import dev.millrace.proto.queue.v1.PauseQueueRequest;
import dev.millrace.proto.queue.v1.Queue;
import dev.millrace.proto.queue.v1.QueuePause;
import dev.millrace.proto.queue.v1.QueueServiceGrpc;
import dev.millrace.proto.queue.v1.ResumeQueueRequest;
import dev.millrace.proto.run.v1.JobLimit;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueServiceTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private final Channel other = SCHEDULER.another();

    @Test
    void noSchedulerLeasesJobsOfAPausedTag() throws InterruptedException {
        try (HandlerWorker here = new HandlerWorker(SCHEDULER.channel(), "handler:still", "handler:goes");
                HandlerWorker there = new HandlerWorker(other, "handler:still", "handler:goes")) {
            here.welcome();
            there.welcome();
            String running = submit("still");
            Lease began = takenBy(here, there);
            assertThat(began.getJobId()).isEqualTo(running);

            QueuePause pause = pause(other, "handler:still", "driver update", 0);
            awaitPause(SCHEDULER.channel(), "handler:still", true);
            String waits = submit("still");
            String goes = submit("goes");

            assertThat(takenBy(here, there).getJobId()).isEqualTo(goes);
            assertThat(pause.getActor()).isNotEmpty();
            assertThat(explanation(waits).getCause()).isEqualTo(Cause.CAUSE_TAG_PAUSED);
            assertThat(explanation(waits).getText()).contains("driver update", "millrace queues resume handler:still");
            Queue queue = awaitQueue("handler:still", 1);
            assertThat(queue.getPause()).isEqualTo(pause);
            assertThat(queue.getReasonsList()).singleElement().asString().contains("driver update");
            assertThat(queue.getRunning()).isEqualTo(1);
            assertThat(queue.getWorkers()).isEqualTo(2);
            // What a worker has got goes on.
            here.succeed(began, "1");
            there.succeed(began, "1");

            assertThat(resume(SCHEDULER.channel(), "handler:still").getReason()).isEqualTo("driver update");
            assertThat(takenBy(here, there).getJobId()).isEqualTo(waits);
            assertThat(queue(SCHEDULER.channel(), "handler:still").hasPause()).isFalse();
        }
    }

    @Test
    void aPauseEndsByItself() throws InterruptedException {
        try (HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:short")) {
            worker.welcome();
            QueuePause pause = pause(SCHEDULER.channel(), "handler:short", "", 1);
            String run = submit("short");

            assertThat(pause.hasUntilTime()).isTrue();
            assertThat(worker.take().getJobId()).isEqualTo(run);
        }
    }

    @Test
    void aPauseThatNobodyAnnouncedIsFound() throws InterruptedException {
        try (HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:silent")) {
            worker.welcome();
            SCHEDULER
                    .database()
                    .execute("insert into paused_tag (tag, actor, reason) values ('handler:silent', 'a', '')");
            awaitPause(SCHEDULER.channel(), "handler:silent", true);
            String run = submit("silent");
            assertThat(queue(SCHEDULER.channel(), "handler:silent").getPause().getActor())
                    .isEqualTo("a");
            SCHEDULER.database().execute("delete from paused_tag where tag = 'handler:silent'");
            assertThat(worker.take().getJobId()).isEqualTo(run);
        }
    }

    @Test
    void tellsWhatWaitsAndThatNobodyServesIt() throws InterruptedException {
        submit("nowhere");
        submit("nowhere");

        Queue queue = awaitQueue("handler:nowhere", 2);

        assertThat(queue.getReasonsList()).singleElement().asString().startsWith("No connected worker takes jobs");
        assertThat(queue.hasOldestTime()).isTrue();
        assertThat(queue.getHasMoreWaiting()).isFalse();
        assertThat(queue.getRate().getEnqueuedPerSecond()).isPositive();
    }

    @Test
    void listsTheLinesOfLimits() {
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(SCHEDULER
                    .runs()
                    .submitRun(SubmitRunRequest.newBuilder()
                            .setSpec(handler(
                                    "lines",
                                    spec -> spec.setLimit(JobLimit.newBuilder()
                                            .setKey("printer")
                                            .setMax(2))))
                            .build())
                    .getRun()
                    .getId());
        }
        LimitLine line = awaitLine("printer", 1);

        assertThat(line.getKind()).isEqualTo(LimitLine.Kind.KIND_JOBS);
        assertThat(line.getRunning()).isEqualTo(2);
        assertThat(line.getMax()).isEqualTo(2);
        assertThat(line.getFirstRunId()).isEqualTo(runs.get(2));
    }

    @Test
    void refusesTagsThatNoCallerHas() {
        assertThat(violatedFields(catchThrowableOfType(
                        StatusRuntimeException.class, () -> pause(SCHEDULER.channel(), "@limit/x", "", 0))))
                .containsExactly("tag");
        assertThat(violatedFields(catchThrowableOfType(
                        StatusRuntimeException.class, () -> pause(SCHEDULER.channel(), "", "x".repeat(501), -1))))
                .containsExactlyInAnyOrder("tag", "reason", "length");
    }

    private static String submit(String handler) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(handler(handler, spec -> spec))
                        .build())
                .getRun()
                .getId();
    }

    /** The next lease of one of two workers. */
    private static Lease takenBy(HandlerWorker one, HandlerWorker two) throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < end) {
            Optional<Lease> lease = one.poll().or(two::poll);
            if (lease.isPresent()) {
                return lease.get();
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("nobody got a job");
    }

    private static dev.millrace.proto.explain.v1.Explanation explanation(String run) {
        return ExplainServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .explainRun(ExplainRunRequest.newBuilder().setRunId(run).build())
                .getSteps(0);
    }

    private static QueuePause pause(Channel channel, String tag, String reason, long seconds) {
        PauseQueueRequest.Builder request =
                PauseQueueRequest.newBuilder().setTag(tag).setReason(reason);
        if (seconds != 0) {
            request.setLength(Duration.newBuilder().setSeconds(seconds));
        }
        return QueueServiceGrpc.newBlockingStub(channel)
                .pauseQueue(request.build())
                .getPause();
    }

    private static QueuePause resume(Channel channel, String tag) {
        return QueueServiceGrpc.newBlockingStub(channel)
                .resumeQueue(ResumeQueueRequest.newBuilder().setTag(tag).build())
                .getPause();
    }

    private static Queue queue(Channel channel, String tag) {
        return QueueServiceGrpc.newBlockingStub(channel)
                .listQueues(ListQueuesRequest.getDefaultInstance())
                .getQueuesList()
                .stream()
                .filter(queue -> queue.getTag().equals(tag))
                .findFirst()
                .orElse(Queue.getDefaultInstance());
    }

    private static void awaitPause(Channel channel, String tag, boolean paused) {
        await(() -> queue(channel, tag).hasPause() == paused);
    }

    private static Queue awaitQueue(String tag, int waiting) {
        await(() -> queue(SCHEDULER.channel(), tag).getWaiting() == waiting);
        return queue(SCHEDULER.channel(), tag);
    }

    private static LimitLine awaitLine(String key, int waiting) {
        await(() -> line(key).getWaiting() == waiting);
        return line(key);
    }

    private static LimitLine line(String key) {
        ListLimitsResponse limits = QueueServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .listLimits(ListLimitsRequest.getDefaultInstance());
        return limits.getLimitsList().stream()
                .filter(line -> line.getKey().equals(key))
                .findFirst()
                .orElse(LimitLine.getDefaultInstance());
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("the condition did not come true in time");
            }
            Thread.onSpinWait();
        }
    }
}
