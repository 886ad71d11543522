package dev.millrace.scheduler.quota;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.quota.v1.GetQuotasRequest;
import dev.millrace.proto.quota.v1.GetQuotasResponse;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.quota.v1.SetQuotasRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls of tests about quotas, of one workspace. */
record QuotaCalls(Channel channel, String workspace) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    void set(Quotas.Builder quotas) {
        QuotaServiceGrpc.newBlockingStub(channel)
                .setQuotas(SetQuotasRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setQuotas(quotas)
                        .build());
    }

    GetQuotasResponse get() {
        return QuotaServiceGrpc.newBlockingStub(channel)
                .getQuotas(GetQuotasRequest.newBuilder().setWorkspace(workspace).build());
    }

    String submit() {
        return RunServiceGrpc.newBlockingStub(channel)
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setSpec(spec())
                        .build())
                .getRun()
                .getId();
    }

    void submitBatch(int runs) {
        SubmitRunsRequest.Builder request = SubmitRunsRequest.newBuilder().setWorkspace(workspace);
        for (int run = 0; run < runs; run++) {
            request.addSpecs(spec());
        }
        RunServiceGrpc.newBlockingStub(channel).submitRuns(request.build());
    }

    Iterator<WatchRunResponse> watch(String run) {
        return RunServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .watchRun(WatchRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setRunId(run)
                        .build());
    }

    static RunSpec spec() {
        return RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setHandler("nobody"))
                .setInput(ByteString.copyFromUtf8("{}"))
                .build();
    }

    /** The first refusal of a call that is made again and again. */
    static StatusRuntimeException refusalWithin(ThrowingCallable call) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
            if (refusal != null) {
                return refusal;
            }
        }
        throw new AssertionError("no call was refused");
    }
}
