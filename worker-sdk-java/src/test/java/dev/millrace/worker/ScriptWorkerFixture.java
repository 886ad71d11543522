package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.ProcessTable;
import dev.millrace.worker.testing.TestLeases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Worker with real processes, connected to a scheduler of the test. Closing it checks that no process is left. */
final class ScriptWorkerFixture implements AutoCloseable {
    static final Duration GRACE = Duration.ofMillis(300);

    final FakeScheduler scheduler = new FakeScheduler();
    final ScriptWorker worker;
    final FakeSession session;
    private final ProcessTable processes;

    ScriptWorkerFixture(Path folder) throws InterruptedException {
        this(folder, options -> options);
    }

    /** One slot and a prefetch of four, which makes the use of the pipe visible, unless the test changes it. */
    ScriptWorkerFixture(Path folder, UnaryOperator<ScriptWorkerOptions> change) throws InterruptedException {
        processes = new ProcessTable(folder);
        worker = ScriptWorker.start(change.apply(ScriptWorkerOptions.of(scheduler.target())
                .withName("w1")
                .withFolder(folder)
                .withGrace(GRACE)
                .withStopTimeout(Duration.ofMillis(200))
                .withSlots(List.of(ScriptSlots.of("scripts", 1, 4)))));
        session = scheduler.awaitSession().welcome("s1");
        assertThat(worker.awaitConnected(Duration.ofSeconds(60))).isTrue();
    }

    Lease lease(String hash, String input) {
        return TestLeases.script("scripts", hash, input);
    }

    /** Runs one job and returns how it ended. */
    JobResult run(String hash, String input) throws InterruptedException {
        session.lease(lease(hash, input));
        return session.awaitAndAcceptResult();
    }

    /** Runs one job that succeeds and returns its result. */
    String result(String hash, String input) throws InterruptedException {
        JobResult result = run(hash, input);
        assertThat(result.getError().getMessage()).isEmpty();
        return result.getResult().toStringUtf8();
    }

    @Override
    public void close() {
        worker.close();
        scheduler.close();
        processes.awaitNone();
    }
}
