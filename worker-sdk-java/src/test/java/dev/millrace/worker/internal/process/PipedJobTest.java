package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.ControlGroupChoice;
import dev.millrace.worker.JobLimits;
import dev.millrace.worker.PackageSources;
import dev.millrace.worker.PythonPackageChoice;
import dev.millrace.worker.ScriptSandbox;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.runtime.DeadlineTimer;
import dev.millrace.worker.internal.runtime.LongJobs;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.internal.session.LeasedJob;
import dev.millrace.worker.internal.session.TestJobs;
import dev.millrace.worker.testing.TestLeases;
import io.grpc.netty.NettyChannelBuilder;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that waits in the pipe of a process that is being killed. It goes elsewhere only if it certainly has not begun. The
 * test says what the process has sent; the process itself does nothing.
 */
final class PipedJobTest {
    private static final SlotGroup GROUP =
            SlotGroup.newBuilder().setName("scripts").setSlots(1).setPrefetch(4).build();

    private final ScheduledExecutorService timers = Threads.timer("test-timer");
    private final SlotQueue queue = new SlotQueue(GROUP, q -> new LongJobs(timers, () -> false, () -> {}));
    private final ScriptJob first = job();
    private final ScriptJob second = job();

    @TempDir
    Path folder = Path.of("");

    private ScriptPool pool;
    private WarmProcess warm;
    private Process process;

    @BeforeEach
    void runTheFirstJob() throws Exception {
        var options = new ProcessHostOptions(
                folder.resolve("worker"),
                1,
                // A job that is asked to stop has no time to do so.
                Duration.ZERO,
                Duration.ofSeconds(30),
                "python3",
                List.of(),
                "deno",
                Permissions.DEFAULT,
                List.of(),
                PythonPackageChoice.NONE,
                Long.MAX_VALUE,
                PackageSources.DEFAULT,
                ScriptSandbox.NONE,
                ControlGroupChoice.NONE,
                true,
                JobLimits.DEFAULTS,
                List.of());
        var nobody = NettyChannelBuilder.forTarget("localhost:1").usePlaintext().build();
        pool = new ScriptPool(
                options,
                List.of(GROUP),
                (key, lease) -> {
                    throw new IllegalStateException("No script is asked for.");
                },
                new JobApiClient(nobody));
        warm = new WarmProcess(first.key, pool, new DeadlineTimer(timers));
        warm.startedAs("millrace-test-" + UUID.randomUUID());
        process = new ProcessBuilder("sleep", "600").start();
        locked(() -> {
            warm.attach(
                    process, OutputStream.nullOutputStream(), new Script(Path.of("script.py"), ScriptRuntime.PYTHON));
            warm.assign(first);
            warm.assign(second);
            warm.ready();
        });
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
        pool.close();
        timers.shutdownNow();
    }

    @Test
    void goesElsewhereIfTheJobBeforeItHasNotEnded() {
        locked(warm::kill);
        readToEnd();

        assertThat(second.lease.isHeld()).isTrue();
        assertThat(second.strays).isEqualTo(1);
    }

    @Test
    void hasBegunIfTheJobBeforeItEndedWhileTheProcessWasBeingKilled() throws Exception {
        locked(warm::kill);
        pool.result(warm, new Frame.Result(first.lease.jobId(), ByteString.copyFromUtf8("1")));
        assertThat(pool.running(warm, second.lease.jobId())).isEqualTo(second.lease);
        readToEnd();

        assertThatItDoesNotBeginAgain();
    }

    @Test
    void hasBegunIfTheEndOfTheJobBeforeItDoesNotCount() throws Exception {
        locked(() -> warm.fail(JobErrors.of("OutOfMemory", "The job used too much memory.", false)));
        pool.result(warm, new Frame.Result(first.lease.jobId(), ByteString.copyFromUtf8("1")));
        readToEnd();

        assertThat(first.lease.isHeld()).isFalse();
        assertThatItDoesNotBeginAgain();
    }

    @Test
    void mayHaveBegunIfTheProcessSentMoreThanWasRead() {
        JobError unreadable = JobErrors.of("ProtocolError", "The process sent a frame that nobody can read.", true);

        pool.ended(warm, process, unreadable);

        assertThat(first.lease.isHeld()).isFalse();
        assertThatItDoesNotBeginAgain();
    }

    @Test
    void goesElsewhereIfItsProcessTakesNoFurtherJob() throws Exception {
        JobError error = JobErrors.of("SystemExit", "The job has ended its process.", true);
        pool.failed(warm, new Frame.Failed(first.lease.jobId(), error, true));
        readToEnd();

        assertThat(second.lease.isHeld()).isTrue();
        assertThat(second.strays).isEqualTo(1);
    }

    @Test
    void isNotKilledForTheJobBeforeItThatStopsAtTheLastMoment() throws Exception {
        Thread timer = timers.submit(Thread::currentThread).get();

        locked(() -> {
            warm.stop(first, ScriptJob.Stop.CANCELED);
            awaitWaitForPool(timer);
            end(first);
        });
        timers.submit(() -> {}).get();

        assertThat(warm.describe().getState()).isEqualTo(ScriptProcess.State.STATE_BUSY);
        assertThat(pool.running(warm)).isEqualTo(second);
    }

    /** Waits until the thread waits for the pool's lock. */
    private static void awaitWaitForPool(Thread thread) {
        while (thread.getState() != Thread.State.WAITING
                || Arrays.stream(thread.getStackTrace())
                        .noneMatch(frame -> frame.getClassName().equals(PoolLock.class.getName()))) {
            Thread.onSpinWait();
        }
    }

    private void end(ScriptJob job) {
        try {
            pool.result(warm, new Frame.Result(job.lease.jobId(), ByteString.copyFromUtf8("1")));
        } catch (ProtocolException e) {
            throw new AssertionError(e);
        }
    }

    private void assertThatItDoesNotBeginAgain() {
        assertThat(second.lease.isHeld()).isFalse();
        assertThat(second.strays).isZero();
    }

    private void readToEnd() {
        pool.readToEnd(warm);
        pool.ended(warm, process, null);
    }

    /** Runs an action with the pool's lock, under which the pool tells its room. */
    private void locked(Runnable action) {
        var isDone = new AtomicBoolean();
        pool.onRoomChange(room -> {
            if (isDone.compareAndSet(false, true)) {
                action.run();
            }
        });
        assertThat(isDone).isTrue();
    }

    private ScriptJob job() {
        LeasedJob lease = TestJobs.of(TestLeases.script(GROUP.getName(), "script", "{}"), () -> {});
        return new ScriptJob(lease, queue);
    }
}
