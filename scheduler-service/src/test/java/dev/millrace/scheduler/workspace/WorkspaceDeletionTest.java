package dev.millrace.scheduler.workspace;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.workspace.WorkspaceCalls.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.testing.HandlerWorker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests that nothing is left of a deleted workspace, and that others lose nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkspaceDeletionTest {
    private static final Duration AT_ONCE = Duration.ZERO;

    private final WorkspaceCalls calls;

    WorkspaceDeletionTest(@TempDir Path folder) {
        calls = new WorkspaceCalls(folder);
    }

    @AfterAll
    void stop() {
        calls.close();
    }

    @Test
    void deletesEverythingOfTheWorkspaceAndNothingElse() throws InterruptedException {
        String gone = calls.create(false);
        String stays = calls.create(false);
        fill(gone);
        fill(stays);
        String endless = calls.submit(calls.owner(), gone, "nobody");
        int before = rows(stays);
        calls.archive(gone);
        calls.delete(gone, true);

        delete();

        assertThat(calls.names(calls.owner())).doesNotContain(gone).contains(stays);
        assertThat(rows(gone)).isZero();
        assertThat(rows(stays)).isEqualTo(before);
        assertThat(count("job_queue", "id = '" + endless + "'")).isZero();
        assertThat(count("job_log", "text = '" + gone + "'")).isZero();
        assertThat(count("job_log", "text = '" + stays + "'")).isPositive();
    }

    @Test
    void anotherSchedulerContinuesWhatOneHasLeftBehind() throws InterruptedException {
        String gone = calls.create(false);
        fill(gone);
        calls.archive(gone);
        calls.delete(gone, true);
        DeletionStore killed = new DeletionStore(calls.scheduler.open());
        assertThat(killed.claim(Duration.ofMinutes(1), AT_ONCE)).isPresent();
        killed.delete(WorkspaceTables.OF_RUNS.getFirst(), killed.endedRuns(key(gone)));

        delete();
        assertThat(calls.names(calls.owner()))
                .as("claimed by the killed scheduler")
                .contains(gone);
        calls.scheduler.database().execute("update workspace set claimed_until = now() - interval '1 second'");
        delete();

        assertThat(calls.names(calls.owner())).doesNotContain(gone);
        assertThat(rows(gone)).isZero();
    }

    @Test
    void aNewWorkspaceOfTheSameNameHasNothingOfTheOld() throws InterruptedException {
        String name = calls.create(false);
        String member = calls.user(name, Role.ROLE_ADMIN);
        fill(name);
        calls.archive(name);
        calls.delete(name, true);
        delete();

        assertThat(calls.create(name, false).getName()).isEqualTo(name);

        assertThat(reason(refusal(() -> calls.submit(member, name, "nobody")))).isEqualTo("WORKSPACE_NOT_FOUND");
        assertThat(RunServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                        .listRuns(
                                ListRunsRequest.newBuilder().setWorkspace(name).build())
                        .getRunsList())
                .isEmpty();
        String run = calls.submit(calls.owner(), name, "nobody");
        assertThat(calls.get(calls.owner(), name, run).getWorkspace()).isEqualTo(name);
        assertThat(count("job_queue", "workspace = '" + name + ".2'")).isEqualTo(1);
    }

    /** Adds a run with a log, a script, and a service account with a role and a token. */
    private void fill(String workspace) throws InterruptedException {
        try (HandlerWorker worker = calls.worker(calls.workerToken(), "filled")) {
            String run = calls.submit(calls.owner(), workspace, "filled");
            Lease lease = worker.take();
            assertThat(lease.getRunId()).isEqualTo(run);
            worker.print(lease, 1, workspace);
            worker.succeed(lease, "1");
            RunServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                    .watchRun(WatchRunRequest.newBuilder()
                            .setWorkspace(workspace)
                            .setRunId(run)
                            .build())
                    .forEachRemaining(_ -> {});
        }
        ScriptServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .deployScript(DeployScriptRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setPath("a.py")
                        .setContent(ByteString.copyFromUtf8("def main(): return 1"))
                        .build());
        calls.serviceAccount(workspace, Role.ROLE_VIEWER);
        calls.workerToken(workspace);
    }

    private void delete() {
        EventBus bus = new EventBus();
        try (WorkspaceDirectory directory = WorkspaceDirectory.start(calls.scheduler.open(), bus);
                WorkspaceDeletion deletion =
                        new WorkspaceDeletion(calls.scheduler.open(), new Cancellations(), directory, bus, AT_ONCE)) {
            deletion.runOnce();
        }
    }

    /** Number of rows that name the workspace, in all tables but the record of workspaces. */
    private int rows(String workspace) {
        return Stream.of(WorkspaceTables.BEFORE_RUNS, WorkspaceTables.AFTER_RUNS)
                        .flatMap(List::stream)
                        .mapToInt(
                                table -> count(table.table(), table.condition().replace("?", "'" + workspace + "'")))
                        .sum()
                + count("job_history", "workspace = '" + workspace + "'")
                + count("job_queue", "workspace = '" + workspace + "'")
                + count("workspace_name", "key = '" + workspace + "'");
    }

    private int count(String table, String condition) {
        return calls.scheduler
                .open()
                .run(dsl -> dsl.fetchSingle("select count(*)::int from " + table + " where " + condition))
                .get(0, Integer.class);
    }

    private static dev.millrace.scheduler.queue.core.Workspace key(String name) {
        return dev.millrace.scheduler.queue.core.Workspace.of(name);
    }

    /** Cancels runs by calls to the scheduler, whose lanes hold them. */
    private final class Cancellations implements RunOperations {
        @Override
        public CompletableFuture<OperationResult> operate(RunId run, RunOperation operation, OperationNote note) {
            String workspace = calls.scheduler
                    .open()
                    .run(dsl -> dsl.fetchSingle("select workspace from job_queue where run_id = ?", run.value()))
                    .get(0, String.class);
            calls.cancel(calls.owner(), workspace, run.toString());
            return CompletableFuture.completedFuture(new OperationResult.Done(true));
        }

        @Override
        public CompletableFuture<OperationResult> rerun(Rerun rerun, OperationNote note) {
            throw new UnsupportedOperationException("a deletion begins no runs");
        }
    }
}
