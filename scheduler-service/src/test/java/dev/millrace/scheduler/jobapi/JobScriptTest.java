package dev.millrace.scheduler.jobapi;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.worker.v1.GetPackageLockRequest;
import dev.millrace.proto.worker.v1.GetScriptRequest;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.KeepPackageLockRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Workers get the scripts of their jobs by the leases of these jobs. */
class JobScriptTest {
    private static final RunningScheduler SCHEDULER = new RunningScheduler();
    private static final HandlerWorker WORKER = new HandlerWorker(SCHEDULER.channel(), "python");
    private static final String SOURCE = "def main(): return 1\n";

    @AfterAll
    static void stop() {
        WORKER.close();
        SCHEDULER.close();
    }

    @Test
    void aLeaseGivesTheScriptOfItsJobAndNoLongerThanItIsHeld() throws InterruptedException {
        Lease lease = startAndTake("shop/one.py", SOURCE);

        Script script = script(lease);
        assertThat(script.getHash()).isEqualTo(lease.getScriptHash());
        assertThat(script.getContent().toStringUtf8()).isEqualTo(SOURCE);
        Lease forged =
                lease.toBuilder().setLeaseToken(lease.getLeaseToken() + 1).build();
        assertThat(reason(refusal(forged))).isEqualTo("LEASE_LOST");
        WORKER.giveBack(lease);
        Lease again = WORKER.take();
        assertThat(reason(refusal(lease))).isEqualTo("LEASE_LOST");
        assertThat(script(again)).isEqualTo(script);
        WORKER.succeed(again, "1");
    }

    @Test
    void theFirstLeaseOfAScriptCarriesIt() throws InterruptedException {
        Lease lease = startAndTake("shop/carried.py", "def main(): return 5\n");

        assertThat(lease.getScript()).isEqualTo(script(lease));
        WORKER.giveBack(lease);
        Lease again = WORKER.take();
        assertThat(again.getScriptHash()).isEqualTo(lease.getScriptHash());
        assertThat(again.hasScript()).isFalse();
        WORKER.succeed(again, "5");
        Lease large = startAndTake("shop/large.py", "# " + "x".repeat(64 << 10) + "\ndef main(): return 6\n");
        assertThat(large.hasScript()).isFalse();
        WORKER.succeed(large, "6");
    }

    @Test
    void theFirstChoiceOfPackagesCountsForAllJobsOfTheScript() throws InterruptedException {
        Lease lease = startAndTake("shop/two.py", "import requests\ndef main(): return 2\n");

        assertThat(lock(lease, "python3.12")).isEmpty();
        assertThat(keep(lease, "python3.12", "requests==2.32.0\n")).isEqualTo("requests==2.32.0\n");
        assertThat(keep(lease, "python3.12", "requests==2.31.0\n")).isEqualTo("requests==2.32.0\n");
        assertThat(keep(lease, "python3.10", "requests==2.28.0\n")).isEqualTo("requests==2.28.0\n");
        assertThat(lock(lease, "python3.12")).isEqualTo("requests==2.32.0\n");

        WORKER.succeed(lease, "2");
        Lease other = startAndTake("shop/three.py", "import requests\ndef main(): return 3\n");
        assertThat(lock(other, "python3.12")).isEmpty();
        Lease forged =
                other.toBuilder().setLeaseToken(other.getLeaseToken() + 1).build();
        assertThat(reason(catchThrowableOfType(StatusRuntimeException.class, () -> lock(forged, "python3.12"))))
                .isEqualTo("LEASE_LOST");
        assertThat(reason(catchThrowableOfType(
                        StatusRuntimeException.class, () -> keep(forged, "python3.12", "requests==1\n"))))
                .isEqualTo("LEASE_LOST");
        for (String bad : List.of("", "Python 3", "p".repeat(65))) {
            assertThat(reason(catchThrowableOfType(StatusRuntimeException.class, () -> lock(other, bad))))
                    .isEqualTo("INVALID_REQUEST");
        }
        WORKER.succeed(other, "3");
    }

    @Test
    void aChoiceOfPackagesHasALimit() throws InterruptedException {
        Lease lease = startAndTake("shop/four.py", "def main(): return 4\n");
        String largest = "a==1".repeat(JobApiGrpcService.PACKAGE_LOCK_CHARS_MAX / 4);

        StatusRuntimeException refusal =
                catchThrowableOfType(StatusRuntimeException.class, () -> keep(lease, "python3.12", largest + "0"));

        assertThat(reason(refusal)).isEqualTo("INVALID_REQUEST");
        assertThat(refusal).hasMessageContaining("lock: 1048577 characters (expected: 1 to 1048576");
        assertThat(lock(lease, "python3.12")).isEmpty();
        assertThat(keep(lease, "python3.12", largest)).isEqualTo(largest);
        WORKER.succeed(lease, "4");
    }

    private static Lease startAndTake(String path, String source) throws InterruptedException {
        SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath(path)
                        .setContent(ByteString.copyFromUtf8(source))
                        .build());
        RunTarget target = RunTarget.newBuilder().setScriptPath(path).build();
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build());
        return WORKER.take();
    }

    private static String lock(Lease lease, String interpreter) {
        return JobApiServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .getPackageLock(GetPackageLockRequest.newBuilder()
                        .setJobId(lease.getJobId())
                        .setLeaseToken(lease.getLeaseToken())
                        .setInterpreter(interpreter)
                        .build())
                .getLock();
    }

    private static String keep(Lease lease, String interpreter, String lock) {
        return JobApiServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .keepPackageLock(KeepPackageLockRequest.newBuilder()
                        .setJobId(lease.getJobId())
                        .setLeaseToken(lease.getLeaseToken())
                        .setInterpreter(interpreter)
                        .setLock(lock)
                        .build())
                .getLock();
    }

    private static StatusRuntimeException refusal(Lease lease) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> script(lease));
    }

    private static Script script(Lease lease) {
        return JobApiServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .getScript(GetScriptRequest.newBuilder()
                        .setJobId(lease.getJobId())
                        .setLeaseToken(lease.getLeaseToken())
                        .build())
                .getScript();
    }
}
