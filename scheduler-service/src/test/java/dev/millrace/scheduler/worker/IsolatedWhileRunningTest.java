package dev.millrace.scheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.UpdateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.testing.MigratedDatabase;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job is running when its worker may no longer serve its workspace. Such a job ends where it is. */
class IsolatedWhileRunningTest {
    private static final String WORKSPACE = "secluded";

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    private final Scheduler scheduler = Scheduler.start(postgres.schedulerConfig());

    private final ManagedChannel channel = ManagedChannelBuilder.forAddress("localhost", scheduler.port())
            .usePlaintext()
            .build();

    private final ResumingWorker worker = new ResumingWorker("handler:running");

    @AfterEach
    void close() {
        worker.close();
        channel.shutdownNow();
        scheduler.close();
    }

    @Test
    void aResumedSessionKeepsTheJobsThatItHolds() {
        var workspaces = WorkspaceServiceGrpc.newBlockingStub(channel);
        workspaces.createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName(WORKSPACE).build());
        Welcome session = worker.connect(scheduler.port());
        RunServiceGrpc.newBlockingStub(channel)
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(WORKSPACE)
                        .setSpec(RunningScheduler.handler("running", spec -> spec))
                        .build());
        Lease running = ResumingWorker.next(worker.leases);
        Lease unknown = Lease.newBuilder()
                .setJobId(UUID.randomUUID().toString())
                .setLeaseToken(1)
                .build();
        worker.die();
        workspaces.updateWorkspace(UpdateWorkspaceRequest.newBuilder()
                .setWorkspace(WORKSPACE)
                .setIsolated(true)
                .build());

        worker.resume(scheduler.port(), session, running, unknown);

        // The scheduler ends the unknown lease once each lane has compared its leases with those of the worker.
        assertThat(ResumingWorker.next(worker.cancels).getJobId()).isEqualTo(unknown.getJobId());
        worker.succeed(running);
        assertThat(ResumingWorker.next(worker.acks).getDisposition())
                .isEqualTo(ResultAck.Disposition.DISPOSITION_ACCEPTED);
    }
}
