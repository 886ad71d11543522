package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.AcquireLockRequest;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ReleaseLockRequest;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.worker.testing.FakeJobApi;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.TestLeases;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that a handler can make while it runs. */
final class HandlerToolsTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final FakeScheduler scheduler = new FakeScheduler();
    private final FakeJobApi steps = scheduler.steps();

    @AfterEach
    void stop() {
        scheduler.close();
    }

    private List<JobResult> run(JobHandler handler, Lease... leases) throws InterruptedException {
        try (Worker worker =
                Worker.connect(scheduler.target()).handle("h", handler).start()) {
            FakeSession session = scheduler.awaitSession().welcome("s1");
            assertThat(worker.awaitConnected(Duration.ofSeconds(60))).isTrue();
            session.lease(leases);
            JobResult[] results = new JobResult[leases.length];
            for (int i = 0; i < leases.length; i++) {
                results[i] = session.awaitAndAcceptResult();
            }
            return List.of(results);
        }
    }

    private String result(JobHandler handler) throws InterruptedException {
        JobResult result = run(handler, TestLeases.handler("h", "{}")).get(0);
        assertThat(result.getError().getMessage()).isEmpty();
        return result.getResult().toStringUtf8();
    }

    private JobResult failure(JobHandler handler) throws InterruptedException {
        JobResult result = run(handler, TestLeases.handler("h", "{}")).get(0);
        assertThat(result.hasError()).isTrue();
        return result;
    }

    @Test
    void sharesData() throws Exception {
        String result = result(context -> {
            context.setData("k", Map.of("a", 1));
            context.setData("nothing", null);
            return List.of(
                    context.getData("k").orElseThrow(),
                    context.getData("nothing").orElseThrow().isNull(),
                    context.getData("never").isEmpty());
        });

        assertThat(result).isEqualTo("[{\"a\":1},true,true]");
    }

    @Test
    void waitsForALockAndGivesItBack() throws Exception {
        steps.beBusy(2);

        String result = result(context -> {
            try (JobLock lock = context.lock("m", TTL, Duration.ofMinutes(1)).orElseThrow()) {
                return lock.fence();
            }
        });

        assertThat(result).isEqualTo(Long.toString(FakeJobApi.FENCE));
        List<AcquireLockRequest> asked = steps.requests(AcquireLockRequest.class);
        assertThat(asked).hasSize(3);
        assertThat(steps.requests(ReleaseLockRequest.class))
                .extracting(ReleaseLockRequest::getHoldId)
                .containsExactly(asked.get(0).getHoldId());
    }

    @Test
    void doesNotWaitWithoutPatience() throws Exception {
        steps.beBusy(1);

        assertThat(result(context -> context.lock("m", TTL, Duration.ZERO).isEmpty()))
                .isEqualTo("true");
    }

    @Test
    void asksAgainForTheSameHoldWhereAnAnswerWasLost() throws Exception {
        steps.loseAnswers(2);

        result(context -> {
            Optional<JobLock> lock = context.lock("m", TTL, Duration.ofSeconds(Long.MAX_VALUE));
            return lock.isPresent();
        });

        assertThat(steps.requests(AcquireLockRequest.class))
                .hasSize(3)
                .containsOnly(steps.requests(AcquireLockRequest.class).get(0));
    }

    record Table(Blob table) {}

    @Test
    void savesAndOpensBlobs(@TempDir Path folder) throws Exception {
        byte[] bytes = new byte[1_000_000];
        new Random(1).nextBytes(bytes);
        Path file = Files.write(folder.resolve("table"), bytes);
        scheduler.blobs().lose(1);

        String saved = result(context -> new Table(context.saveBlob(file, "a/b")));
        String streamed = result(context -> context.saveBlob(new ByteArrayInputStream(bytes), "a/b"));

        assertThat(saved)
                .startsWith("{\"table\":{\"$blob\":\"")
                .contains("\"bytes\":1000000", "\"media_type\":\"a/b\"");
        assertThat(file).hasBinaryContent(bytes);
        scheduler.blobs().lose(1);
        Lease lease = TestLeases.handler("h", "{\"table\":" + streamed + "}");
        JobResult read = run(
                        context -> {
                            try (InputStream in = context.openBlob(
                                    context.inputAs(Table.class).table())) {
                                return Arrays.equals(in.readAllBytes(), bytes);
                            }
                        },
                        lease)
                .get(0);
        assertThat(read.getResult().toStringUtf8()).isEqualTo("true");
        JobResult missing = failure(context -> context.openBlob(new Blob("none", 1, "", "")));
        assertThat(missing.getError().getName()).isEqualTo("InvalidCall");
        assertThat(missing.getError().getMessage()).isEqualTo("There is no blob none.");
    }

    @Test
    void doesNotRepeatAnUploadForWhichTheWorkspaceHasNoRoom() throws Exception {
        scheduler.blobs().fill();

        // The failure comes before FakeSession loses its patience, which is shorter than an outage may be.
        JobResult full = failure(context -> context.saveBlob(new ByteArrayInputStream(new byte[1]), "a/b"));

        assertThat(full.getError().getName()).isEqualTo("QuotaExceeded");
        assertThat(full.getError().getMessage()).isEqualTo("There is no room.");
    }

    @Test
    void failsWhereTheLeaseIsLost() throws Exception {
        steps.loseLeases();

        JobResult result = failure(context -> context.getData("k"));

        assertThat(result.getError().getName()).isEqualTo("LeaseLost");
        assertThat(result.getError().getMessage()).isEqualTo("The lease is no longer held.");
    }

    @Test
    void refusesAValueThatIsTooLarge() throws Exception {
        JobResult result = failure(context -> {
            context.setData("k", "x".repeat(256 << 10));
            return null;
        });

        assertThat(result.getError().getName()).isEqualTo("InvalidCall");
        assertThat(result.getError().getRetryable()).isFalse();
        assertThat(result.getError().getMessage()).startsWith("The value of the key \"k\" has 262146 bytes");
        assertThat(steps.requests(SetDataRequest.class)).isEmpty();
    }

    @Test
    void knowsKeysThatAllAttemptsOfAStepShare() throws Exception {
        Lease first =
                TestLeases.handler("h", "{}").toBuilder().setStep("count[3]").build();
        Lease second = TestLeases.handler("h", "{}").toBuilder()
                .setStep("count[3]")
                .setAttempt(2)
                .build();
        Lease another =
                TestLeases.handler("h", "{}").toBuilder().setStep("count[4]").build();

        List<String> keys =
                run(context -> List.of(context.stepToken(), context.idempotencyKey()), first, second, another).stream()
                        .map(result -> result.getResult().toStringUtf8())
                        .sorted()
                        .toList();

        assertThat(keys.get(0)).startsWith("[\"run/count[3]\",\"").isEqualTo(keys.get(1));
        assertThat(keys.get(2)).startsWith("[\"run/count[4]\",\"");
        assertThat(keys.get(2).substring(16)).isNotEqualTo(keys.get(0).substring(16));
    }

    @Test
    void tracesBesideItsLog() throws Exception {
        try (Worker worker = Worker.connect(scheduler.target())
                .handle("h", context -> {
                    context.trace("begun");
                    return null;
                })
                .start()) {
            FakeSession session = scheduler.awaitSession().welcome("s1");
            assertThat(worker.awaitConnected(Duration.ofSeconds(60))).isTrue();
            Lease lease = TestLeases.handler("h", "{}");
            session.lease(lease);

            session.awaitLog(lease.getJobId(), "begun\n");
            assertThat(session.logBatches().toString()).contains(LogChunk.Stream.STREAM_TRACE.name());
        }
    }
}
