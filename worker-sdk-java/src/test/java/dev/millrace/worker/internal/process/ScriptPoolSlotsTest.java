package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.Language;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.ControlGroupChoice;
import dev.millrace.worker.JobLimits;
import dev.millrace.worker.PackageSources;
import dev.millrace.worker.PythonPackageChoice;
import dev.millrace.worker.ScriptSandbox;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.session.LeasedJob;
import dev.millrace.worker.internal.session.TestJobs;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.TestLeases;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slots are counted correctly while jobs end and begin at the same time. */
final class ScriptPoolSlotsTest {
    private static final String GROUP = "scripts";
    private static final int SLOTS = 2;

    /** Ends only once as many jobs have begun as there are slots; never ends if one of them cannot begin. */
    private static final String MEETING = """
            import os, time, uuid
            def main(folder: str, expected: int):
                os.makedirs(folder, exist_ok=True)
                open(os.path.join(folder, uuid.uuid4().hex), 'w').close()
                while len(os.listdir(folder)) < expected:
                    time.sleep(0.01)
            """;

    @TempDir
    Path folder = Path.of("");

    @Test
    void losesNoSlotWhenAJobArrivesWhileTheOneBeforeIsToldToHaveEnded() throws Exception {
        try (ScriptPool pool = pool()) {
            var secondHasEnded = new CountDownLatch(1);
            LeasedJob second = job("alone-2", 1, secondHasEnded::countDown);
            // The process is idle here, but the end of its job is still being reported: the second job gets the process
            // in between.
            pool.accept(job("alone-1", 1, () -> pool.accept(second)));
            await(secondHasEnded);

            var bothHaveEnded = new CountDownLatch(SLOTS);
            pool.accept(job("together", SLOTS, bothHaveEnded::countDown));
            pool.accept(job("together", SLOTS, bothHaveEnded::countDown));

            await(bothHaveEnded);
        }
    }

    private static void await(CountDownLatch ends) throws InterruptedException {
        assertThat(ends.await(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS))
                .as("the jobs have ended")
                .isTrue();
    }

    private LeasedJob job(String meeting, int expected, Runnable onEnd) {
        String input = "{\"folder\": \"" + folder.resolve(meeting) + "\", \"expected\": " + expected + "}";
        return TestJobs.of(TestLeases.script(GROUP, "meeting", input), onEnd);
    }

    private ScriptPool pool() throws IOException {
        var options = new ProcessHostOptions(
                folder.resolve("worker"),
                SLOTS,
                Duration.ofMillis(300),
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
        SlotGroup slots = SlotGroup.newBuilder().setName(GROUP).setSlots(SLOTS).build();
        var nobody = NettyChannelBuilder.forTarget("localhost:1").usePlaintext().build();
        return new ScriptPool(options, List.of(slots), ScriptPoolSlotsTest::script, new JobApiClient(nobody));
    }

    private static Script script(ScriptKey key, Supplier<Optional<LeasedJob>> lease) {
        assertThat(lease.get()).isPresent();
        return Script.newBuilder()
                .setHash(key.hash())
                .setPath("meeting.py")
                .setWorkspace(key.workspace())
                .setLanguage(Language.LANGUAGE_PYTHON)
                .setContent(ByteString.copyFromUtf8(MEETING))
                .build();
    }
}
