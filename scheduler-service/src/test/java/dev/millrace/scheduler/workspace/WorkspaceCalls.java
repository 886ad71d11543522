package dev.millrace.scheduler.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.workspace.v1.ArchiveWorkspaceRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.DeleteWorkspaceRequest;
import dev.millrace.proto.workspace.v1.ListWorkspacesRequest;
import dev.millrace.proto.workspace.v1.RenameWorkspaceRequest;
import dev.millrace.proto.workspace.v1.RestoreWorkspaceRequest;
import dev.millrace.proto.workspace.v1.UpdateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.Workspace;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls about workspaces with the tokens of several callers, for tests. */
final class WorkspaceCalls implements AutoCloseable {
    private static final AtomicInteger NAMES = new AtomicInteger();

    final RunningScheduler scheduler;
    private final IdentityCalls identity;

    WorkspaceCalls(Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        identity = new IdentityCalls(scheduler, ownerToken);
    }

    String owner() {
        return identity.owner();
    }

    String user(String workspace, Role role) {
        return identity.user(workspace, "", role);
    }

    /** Token of a user with a role in one folder of a workspace. */
    String userOfFolder(String workspace, String folder, Role role) {
        return identity.user(workspace, folder, role);
    }

    void serviceAccount(String workspace, Role role) {
        identity.serviceAccount(workspace, role);
    }

    Channel with(String token) {
        return identity.with(token);
    }

    WorkspaceServiceGrpc.WorkspaceServiceBlockingStub workspaces(String token) {
        return WorkspaceServiceGrpc.newBlockingStub(with(token));
    }

    /** Creates a workspace with a name of its own. */
    String create(boolean isIsolated) {
        String name = "workspace-" + NAMES.incrementAndGet();
        create(name, isIsolated);
        return name;
    }

    Workspace create(String name, boolean isIsolated) {
        return workspaces(owner())
                .createWorkspace(CreateWorkspaceRequest.newBuilder()
                        .setName(name)
                        .setIsolated(isIsolated)
                        .build())
                .getWorkspace();
    }

    Workspace isolate(String name, boolean isIsolated) {
        return workspaces(owner())
                .updateWorkspace(UpdateWorkspaceRequest.newBuilder()
                        .setWorkspace(name)
                        .setIsolated(isIsolated)
                        .build())
                .getWorkspace();
    }

    Workspace rename(String name, String newName) {
        return workspaces(owner())
                .renameWorkspace(RenameWorkspaceRequest.newBuilder()
                        .setWorkspace(name)
                        .setNewName(newName)
                        .build())
                .getWorkspace();
    }

    Workspace archive(String name) {
        return workspaces(owner())
                .archiveWorkspace(
                        ArchiveWorkspaceRequest.newBuilder().setWorkspace(name).build())
                .getWorkspace();
    }

    Workspace restore(String name) {
        return workspaces(owner())
                .restoreWorkspace(
                        RestoreWorkspaceRequest.newBuilder().setWorkspace(name).build())
                .getWorkspace();
    }

    Workspace delete(String name, boolean force) {
        return workspaces(owner())
                .deleteWorkspace(DeleteWorkspaceRequest.newBuilder()
                        .setWorkspace(name)
                        .setForce(force)
                        .build())
                .getWorkspace();
    }

    List<String> names(String token) {
        return workspaces(token).listWorkspaces(ListWorkspacesRequest.getDefaultInstance()).getWorkspacesList().stream()
                .map(Workspace::getName)
                .toList();
    }

    /** Submits a job for a handler. */
    String submit(String token, String workspace, String handler) {
        return submit(token, workspace, RunTarget.newBuilder().setHandler(handler));
    }

    String submit(String token, String workspace, RunTarget.Builder target) {
        RunSpec spec = RunSpec.newBuilder().setTarget(target).build();
        return RunServiceGrpc.newBlockingStub(with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setSpec(spec)
                        .build())
                .getRun()
                .getId();
    }

    Run get(String token, String workspace, String run) {
        return RunServiceGrpc.newBlockingStub(with(token))
                .getRun(GetRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setRunId(run)
                        .build())
                .getRun();
    }

    void cancel(String token, String workspace, String run) {
        OperationServiceGrpc.newBlockingStub(with(token))
                .cancelRun(CancelRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setRunId(run)
                        .build());
    }

    /** A token of workers of these workspaces, or of all. */
    String workerToken(String... workspaces) {
        return TokenServiceGrpc.newBlockingStub(with(owner()))
                .createSharedToken(CreateSharedTokenRequest.newBuilder()
                        .setKind(Token.Kind.KIND_WORKER)
                        .setName("test")
                        .addAllWorkspaces(List.of(workspaces))
                        .build())
                .getSecret();
    }

    /** Connects a worker for a handler. */
    HandlerWorker worker(String token, String handler) {
        return new HandlerWorker(with(token), "handler:" + handler);
    }

    static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call was allowed").isNotNull();
        return refusal;
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
