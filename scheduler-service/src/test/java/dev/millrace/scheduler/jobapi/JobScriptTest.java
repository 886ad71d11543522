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
import dev.millrace.proto.worker.v1.GetScriptRequest;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
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
        SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath("shop/one.py")
                        .setContent(ByteString.copyFromUtf8(SOURCE))
                        .build());
        RunTarget target = RunTarget.newBuilder().setScriptPath("shop/one.py").build();
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build());
        Lease lease = WORKER.take();

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
