package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.TestLeases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The SDK from its users' view: handlers, their results and their errors. */
final class WorkerTest {
    private final FakeScheduler scheduler = new FakeScheduler();

    @AfterEach
    void stop() {
        scheduler.close();
    }

    private FakeSession connect(Worker worker) throws InterruptedException {
        return connect(worker, welcome -> welcome);
    }

    private FakeSession connect(Worker worker, UnaryOperator<Welcome.Builder> change) throws InterruptedException {
        FakeSession session = scheduler.awaitSession();
        session.awaitHello();
        session.welcome("s1", false, change);
        assertThat(worker.awaitConnected(Duration.ofSeconds(60))).isTrue();
        return session;
    }

    private JobResult runOne(JobHandler handler, String input) throws InterruptedException {
        try (Worker worker = Worker.connect(scheduler.target())
                .name("w1")
                .handle("h", handler)
                .start()) {
            FakeSession session = connect(worker);
            session.lease(TestLeases.handler("h", input));
            return session.awaitAndAcceptResult();
        }
    }

    @Test
    void runsNothingBesideAJobThatRunsAlone() throws Exception {
        CountDownLatch firstMayEnd = new CountDownLatch(1);
        CountDownLatch aloneMayEnd = new CountDownLatch(1);
        try (Worker worker = Worker.connect(scheduler.target())
                .name("w1")
                .slots(3)
                .handle("first", context -> {
                    firstMayEnd.await();
                    return null;
                })
                .handle("alone", context -> {
                    aloneMayEnd.await();
                    return null;
                })
                .start()) {
            FakeSession session = connect(worker);
            Lease first = TestLeases.handler("first", "{}");
            Lease alone =
                    TestLeases.handler("alone", "{}").toBuilder().setAlone(true).build();
            Lease late = TestLeases.handler("first", "{}");
            session.lease(first);
            session.awaitStarted(first.getJobId());

            session.lease(alone, late);

            JobResult returned = session.awaitAndAcceptResult();
            assertThat(returned.getJobId()).isEqualTo(late.getJobId());
            assertThat(returned.hasReturned()).isTrue();
            assertThat(session.received())
                    .as("the worker asks for no jobs before it returns one")
                    .filteredOn(message -> message.hasDemand() || message.hasResults())
                    .first()
                    .satisfies(message -> assertThat(
                                    message.getDemand().getSlotGroups(0).getSlots())
                            .isZero())
                    .satisfies(message -> assertThat(
                                    message.getDemand().getSlotGroups(0).getPauseReason())
                            .contains("nothing may run beside it"));
            assertThat(hasStarted(session, alone)).isFalse();

            firstMayEnd.countDown();
            assertThat(session.awaitAndAcceptResult().getJobId()).isEqualTo(first.getJobId());
            session.awaitStarted(alone.getJobId());
            aloneMayEnd.countDown();
            assertThat(session.awaitAndAcceptResult().getJobId()).isEqualTo(alone.getJobId());
            session.await(message ->
                    message.hasDemand() && message.getDemand().getSlotGroups(0).getSlots() == 3);
        }
    }

    @Test
    void givesJobsBackThatWouldWaitBehindALongOneAndFetchesAheadAgainOnceJobsAreShort() throws Exception {
        CountDownLatch longMayEnd = new CountDownLatch(1);
        try (Worker worker = Worker.connect(scheduler.target())
                .slots(1)
                .prefetch(2)
                .handle("long", context -> {
                    longMayEnd.await();
                    return null;
                })
                .handle("short", context -> null)
                .start()) {
            FakeSession session = connect(worker);
            Lease first = TestLeases.handler("long", "{}");
            Lease second = TestLeases.handler("short", "{}");
            Lease third = TestLeases.handler("short", "{}");

            session.lease(first, second, third);

            for (Lease behind : List.of(second, third)) {
                JobResult returned = session.awaitAndAcceptResult();
                assertThat(returned.getJobId()).isEqualTo(behind.getJobId());
                assertThat(returned.hasReturned()).isTrue();
            }
            assertThat(prefetchDemands(session))
                    .as("the worker asks for none to wait before it returns those that do")
                    .containsExactly(0);

            longMayEnd.countDown();
            assertThat(session.awaitAndAcceptResult().getJobId()).isEqualTo(first.getJobId());
            session.lease(
                    second.toBuilder().setLeaseToken(second.getLeaseToken() + 1).build());
            assertThat(session.awaitAndAcceptResult().getResult().toStringUtf8())
                    .isEqualTo("null");
            session.await(message ->
                    message.hasDemand() && message.getDemand().getSlotGroups(0).getPrefetch() == 2);
            assertThat(prefetchDemands(session)).containsExactly(0, 2);
        }
    }

    /** The numbers of waiting jobs that the worker has requested, one per change. */
    private static List<Integer> prefetchDemands(FakeSession session) {
        return session.received().stream()
                .filter(OpenSessionRequest::hasDemand)
                .map(message -> message.getDemand().getSlotGroups(0).getPrefetch())
                .toList();
    }

    private static boolean hasStarted(FakeSession session, Lease lease) {
        return session.received().stream()
                .flatMap(message -> message.getStarted().getJobsList().stream())
                .anyMatch(started -> started.getJobId().equals(lease.getJobId()));
    }

    @Test
    void introducesItselfWithItsNameAndTags() throws Exception {
        try (Worker worker = Worker.connect(scheduler.target())
                .name("w1")
                .label("zone", "a")
                .slots(3)
                .prefetch(5)
                .handle("resize", context -> null)
                .handle("crop", context -> null)
                .start()) {
            FakeSession session = scheduler.awaitSession();

            assertThat(session.awaitHello().getWorkerName()).isEqualTo("w1");
            assertThat(session.awaitHello().getLabelsMap()).isEqualTo(Map.of("zone", "a"));
            assertThat(session.awaitHello().getSlotGroupsList())
                    .containsExactly(SlotGroup.newBuilder()
                            .setName("handlers")
                            .addAllTags(List.of("handler:resize", "handler:crop"))
                            .setSlots(3)
                            .setPrefetch(5)
                            .build());
            session.welcome("s1");
            assertThat(worker.awaitConnected(Duration.ofSeconds(60))).isTrue();
        }
    }

    @Test
    void writesWhatAHandlerReturnsAsJson() throws Exception {
        assertThat(runOne(context -> context.input().get("a").asInt() + 1, "{\"a\":41}")
                        .getResult()
                        .toStringUtf8())
                .isEqualTo("42");
        assertThat(runOne(context -> "text", "{}").getResult().toStringUtf8()).isEqualTo("\"text\"");
        assertThat(runOne(context -> null, "{}").getResult().toStringUtf8()).isEqualTo("null");
        assertThat(runOne(WorkerTest::inputBytes, "{\"b\": 1}").getResult().toStringUtf8())
                .isEqualTo("{\"b\": 1}");
    }

    private static byte @Nullable [] inputBytes(JobContext context) {
        return context.inputBytes();
    }

    @Test
    void failsAJobWhoseResultIsNoJson() throws Exception {
        JobResult result = runOne(context -> new byte[] {'{'}, "{}");

        assertThat(result.getError().getName()).isEqualTo("ResultError");
        assertThat(result.getError().getRetryable()).isFalse();
    }

    @Test
    void failsAJobWhoseResultIsTooLarge() throws Exception {
        JobResult result = runOne(context -> "x".repeat(2 << 20), "{}");

        assertThat(result.getError().getName()).isEqualTo("ResultTooLarge");
        assertThat(result.getError().getMessage()).contains("2097154 bytes").contains("1048576");
    }

    @Test
    void turnsAnExceptionIntoAnErrorWithTheUsersFrames() throws Exception {
        JobResult result = runOne(WorkerTest::throwing, "{}");

        assertThat(result.getError().getName()).isEqualTo("IllegalStateException");
        assertThat(result.getError().getMessage()).isEqualTo("no room left");
        assertThat(result.getError().getRetryable()).isTrue();
        assertThat(result.getError().getStack()).contains("WorkerTest.throwing").doesNotContain("internal");
    }

    private static Object throwing(JobContext context) {
        throw new IllegalStateException("no room left");
    }

    @Test
    void keepsTheNameAndRetryabilityOfAJobException() throws Exception {
        JobResult result = runOne(
                context -> {
                    throw new JobException("ImageTooLarge", "The image has too many pixels.", false);
                },
                "{}");

        assertThat(result.getError().getName()).isEqualTo("ImageTooLarge");
        assertThat(result.getError().getRetryable()).isFalse();
    }

    @Test
    void timesOutByInterrupt() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        JobHandler sleepy = context -> {
            try {
                new CountDownLatch(1).await();
                return null;
            } finally {
                interrupted.countDown();
            }
        };
        try (Worker worker =
                Worker.connect(scheduler.target()).handle("h", sleepy).start()) {
            FakeSession session = connect(worker);

            session.lease(TestLeases.withTimeoutMillis(TestLeases.handler("h", "{}"), 50));

            JobResult result = session.awaitAndAcceptResult();
            assertThat(result.getError().getName()).isEqualTo("TimedOut");
            assertThat(result.getError().getMessage()).contains("50 ms");
            interrupted.await();
        }
    }

    @Test
    void stopsACanceledHandlerAndSendsNoResult() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        JobHandler handler = context -> {
            if (context.input().has("wait")) {
                running.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    assertThat(context.isCanceled()).isTrue();
                    interrupted.countDown();
                }
            }
            return "done";
        };
        try (Worker worker =
                Worker.connect(scheduler.target()).slots(1).handle("h", handler).start()) {
            FakeSession session = connect(worker);
            Lease first = TestLeases.handler("h", "{\"wait\":true}");
            Lease waiting = TestLeases.handler("h", "{}");
            Lease last = TestLeases.handler("h", "{}");
            session.lease(first, waiting, last);
            running.await();

            session.cancel(waiting);
            session.cancel(first);

            interrupted.await();
            assertThat(session.awaitAndAcceptResult().getJobId()).isEqualTo(last.getJobId());
        }
    }

    @Test
    void sendsLogsBeforeTheResult() throws Exception {
        JobHandler handler = context -> {
            context.log("one");
            context.log("two");
            return null;
        };
        try (Worker worker =
                Worker.connect(scheduler.target()).handle("h", handler).start()) {
            FakeSession session = connect(worker);
            Lease lease = TestLeases.handler("h", "{}");

            session.lease(lease);
            session.awaitAndAcceptResult();

            assertThat(session.log(lease.getJobId())).isEqualTo("one\ntwo\n");
        }
    }

    @Test
    void cutsALogAtItsLimit() throws Exception {
        JobHandler handler = context -> {
            for (int i = 0; i < 100; i++) {
                context.log("123456789");
            }
            return null;
        };
        try (Worker worker =
                Worker.connect(scheduler.target()).handle("h", handler).start()) {
            FakeSession session = connect(worker, welcome -> welcome.setLogBytesMax(30));
            Lease lease = TestLeases.handler("h", "{}");

            session.lease(lease);
            session.awaitAndAcceptResult();

            assertThat(session.log(lease.getJobId()))
                    .isEqualTo("123456789\n".repeat(3) + "Log limit of 30 bytes reached; the rest is dropped.\n");
        }
    }

    @Test
    void givesBackWhatHasNotBegunAndFinishesTheRestWhenItStops() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Worker worker = Worker.connect(scheduler.target())
                .slots(1)
                .handle("h", context -> {
                    running.countDown();
                    goOn.await();
                    return "done";
                })
                .start();
        FakeSession session = connect(worker);
        Lease first = TestLeases.handler("h", "{}");
        Lease second = TestLeases.handler("h", "{}");
        session.lease(first, second);
        running.await();

        Thread closing = new Thread(worker::close);
        closing.start();

        JobResult returned = session.awaitAndAcceptResult();
        assertThat(returned.getJobId()).isEqualTo(second.getJobId());
        assertThat(returned.hasReturned()).isTrue();
        OpenSessionRequest demand = session.await(OpenSessionRequest::hasDemand);
        assertThat(demand.getDemand().getSlotGroups(0).getSlots()).isZero();
        goOn.countDown();
        assertThat(session.awaitAndAcceptResult().getResult().toStringUtf8()).isEqualTo("\"done\"");
        session.await(OpenSessionRequest::hasGoodbye);
        session.awaitEnd();
        closing.join();
        assertThat(session.error()).isNull();
    }

    @Test
    void refusesToStartWithoutAHandler() {
        assertThatThrownBy(() -> Worker.connect(scheduler.target()).start())
                .hasMessageContaining("handle(name, handler)");
        assertThatThrownBy(() -> Worker.connect(scheduler.target()).slots(0))
                .hasMessage("slots: 0 (expected: 1 to 10000)");
    }
}
