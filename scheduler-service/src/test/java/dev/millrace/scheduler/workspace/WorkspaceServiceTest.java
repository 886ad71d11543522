package dev.millrace.scheduler.workspace;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.workspace.WorkspaceCalls.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.GetWorkspaceRequest;
import dev.millrace.proto.workspace.v1.Workspace;
import dev.millrace.scheduler.testing.HandlerWorker;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests workspaces on a scheduler that wants tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkspaceServiceTest {
    private final WorkspaceCalls calls;

    WorkspaceServiceTest(@TempDir Path folder) {
        calls = new WorkspaceCalls(folder);
    }

    @AfterAll
    void stop() {
        calls.close();
    }

    @Test
    void aWorkspaceThatDoesNotExistIsNotFound() {
        StatusRuntimeException refusal = refusal(() -> calls.submit(calls.owner(), "nowhere", "any"));

        assertThat(code(refusal)).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(reason(refusal)).isEqualTo("WORKSPACE_NOT_FOUND");
        assertThat(refusal).hasMessageContaining("`millrace workspaces create nowhere`");
    }

    @Test
    void aWorkspaceWithoutARoleIsNotFoundAsIfThereWereNone() {
        String foreign = calls.create(false);
        String viewer = calls.user(calls.create(false), Role.ROLE_VIEWER);

        StatusRuntimeException existing = refusal(() -> list(viewer, foreign));
        StatusRuntimeException missing = refusal(() -> list(viewer, "nowhere"));

        assertThat(reason(existing)).isEqualTo(reason(missing)).isEqualTo("WORKSPACE_NOT_FOUND");
        assertThat(String.valueOf(existing.getMessage()).replace(foreign, "nowhere"))
                .isEqualTo(missing.getMessage());
        assertThat(reason(refusal(() -> calls.workspaces(viewer)
                        .getWorkspace(GetWorkspaceRequest.newBuilder()
                                .setWorkspace(foreign)
                                .build()))))
                .isEqualTo("WORKSPACE_NOT_FOUND");
    }

    @Test
    void callersListTheWorkspacesInWhichTheyHaveARole() {
        String own = calls.create(false);
        String other = calls.create(false);

        assertThat(calls.names(calls.user(own, Role.ROLE_VIEWER))).containsExactly(own);
        assertThat(calls.names(calls.owner())).contains("default", own, other);
    }

    @Test
    void onlyOwnersCreateWorkspaces() {
        String admin = calls.user("default", Role.ROLE_ADMIN);

        assertThat(code(refusal(() -> calls.workspaces(admin)
                        .createWorkspace(CreateWorkspaceRequest.newBuilder()
                                .setName("mine")
                                .build()))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void refusesNamesThatBreakTheRulesOrAreTaken() {
        String taken = calls.create(false);

        assertThat(code(refusal(() -> calls.create("Acme", false)))).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(code(refusal(() -> calls.create("acme.2", false)))).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(reason(refusal(() -> calls.create(taken, false)))).isEqualTo("NAME_TAKEN");
    }

    @Test
    void anArchivedWorkspaceCanBeReadAndItsRunsEnd() throws InterruptedException {
        String name = calls.create(false);
        String developer = calls.user(name, Role.ROLE_DEVELOPER);
        try (HandlerWorker worker = calls.worker(calls.workerToken(), "archived")) {
            String run = calls.submit(developer, name, "archived");
            Lease lease = worker.take();
            assertThat(calls.archive(name).getState()).isEqualTo(Workspace.State.STATE_ARCHIVED);

            StatusRuntimeException refusal = refusal(() -> calls.submit(developer, name, "archived"));
            assertThat(reason(refusal)).isEqualTo("WORKSPACE_ARCHIVED");
            assertThat(code(refusal)).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(refusal).hasMessageContaining("`millrace workspaces restore " + name + "`");

            worker.succeed(lease, "1");
            awaitEnd(developer, name, run);
        }
    }

    @Test
    void runsOfAnArchivedWorkspaceCanBeCanceled() {
        String name = calls.create(false);
        String developer = calls.user(name, Role.ROLE_DEVELOPER);
        String run = calls.submit(developer, name, "nobody");
        calls.archive(name);

        calls.cancel(developer, name, run);

        assertThat(calls.get(developer, name, run).getState()).isEqualTo(Run.State.STATE_CANCELED);
    }

    @Test
    void aRestoredWorkspaceAcceptsWork() {
        String name = calls.create(false);
        calls.archive(name);

        assertThat(calls.restore(name).getState()).isEqualTo(Workspace.State.STATE_ACTIVE);
        assertThat(calls.submit(calls.owner(), name, "nobody")).isNotEmpty();
    }

    @Test
    void theDefaultWorkspaceStaysWhatItIs() {
        assertThat(reason(refusal(() -> calls.archive("default")))).isEqualTo("WORKSPACE_STATE_UNSUITABLE");
        assertThat(reason(refusal(() -> calls.rename("default", "other-name"))))
                .isEqualTo("WORKSPACE_STATE_UNSUITABLE");
    }

    @Test
    void aRenamedWorkspaceKeepsWhatItHoldsAndItsFormerName() {
        String before = calls.create(false);
        String developer = calls.user(before, Role.ROLE_DEVELOPER);
        String run = calls.submit(developer, before, "nobody");
        String after = before + "-renamed";

        Workspace renamed = calls.rename(before, after);

        assertThat(renamed.getName()).isEqualTo(after);
        assertThat(renamed.getFormerNamesList()).containsExactly(before);
        assertThat(calls.get(developer, after, run).getWorkspace()).isEqualTo(after);
        assertThat(calls.get(developer, before, run).getWorkspace()).isEqualTo(after);
        assertThat(calls.names(developer)).containsExactly(after);
        assertThat(reason(refusal(() -> calls.create(before, false)))).isEqualTo("NAME_TAKEN");
        assertThat(calls.rename(after, before).getName()).isEqualTo(before);
    }

    @Test
    void onlyArchivedWorkspacesWithoutRunsAreDeleted() {
        String name = calls.create(false);
        assertThat(refusal(() -> calls.delete(name, true))).hasMessageContaining("is not archived");
        String run = calls.submit(calls.owner(), name, "nobody");
        calls.archive(name);

        assertThat(refusal(() -> calls.delete(name, false))).hasMessageContaining("has runs in progress (1)");
        calls.cancel(calls.owner(), name, run);
        assertThat(calls.delete(name, false).getState()).isEqualTo(Workspace.State.STATE_DELETING);
        assertThat(refusal(() -> calls.restore(name))).hasMessageContaining("is being deleted");
    }

    private void awaitEnd(String token, String workspace, String run) {
        RunServiceGrpc.newBlockingStub(calls.with(token))
                .watchRun(WatchRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setRunId(run)
                        .build())
                .forEachRemaining(_ -> {});
        assertThat(calls.get(token, workspace, run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
    }

    private void list(String token, String workspace) {
        RunServiceGrpc.newBlockingStub(calls.with(token))
                .listRuns(ListRunsRequest.newBuilder().setWorkspace(workspace).build());
    }
}
