package dev.millrace.scheduler.workspace;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static dev.millrace.scheduler.workspace.WorkspaceCalls.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RetryRunRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import dev.millrace.scheduler.testing.HandlerWorker;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests which workers get the jobs of which workspaces. Each test has a handler of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkspaceIsolationTest {
    private final WorkspaceCalls calls;

    WorkspaceIsolationTest(@TempDir Path folder) {
        calls = new WorkspaceCalls(folder);
    }

    @AfterAll
    void stop() {
        calls.close();
    }

    @Test
    void jobsOfAnIsolatedWorkspaceGoToItsWorkersOnly() throws InterruptedException {
        String isolated = calls.create(true);
        try (HandlerWorker shared = calls.worker(calls.workerToken(), "isolated");
                HandlerWorker own = calls.worker(calls.workerToken(isolated), "isolated")) {
            String first = calls.submit(calls.owner(), isolated, "isolated");
            assertThat(runOf(own.take())).isEqualTo(first);

            // The shared worker has as many free slots, and gets what comes after.
            String common = calls.submit(calls.owner(), "", "isolated");
            assertThat(runOf(shared.take())).isEqualTo(common);
        }
    }

    @Test
    void anIsolatedJobWaitsForItsWorker() throws InterruptedException {
        String isolated = calls.create(true);
        try (HandlerWorker shared = calls.worker(calls.workerToken(), "waiting")) {
            String waiting = calls.submit(calls.owner(), isolated, "waiting");
            String common = calls.submit(calls.owner(), "", "waiting");
            assertThat(runOf(shared.take())).isEqualTo(common);
            try (HandlerWorker own = calls.worker(calls.workerToken(isolated), "waiting")) {
                assertThat(runOf(own.take())).isEqualTo(waiting);
            }
        }
    }

    @Test
    void aWorkerOfOneWorkspaceGetsNoJobsOfAnother() throws InterruptedException {
        String one = calls.create(false);
        String other = calls.create(false);
        String foreign = calls.submit(calls.owner(), other, "shared");
        String waiting = calls.submit(calls.owner(), one, "shared");
        try (HandlerWorker own = calls.worker(calls.workerToken(one), "shared")) {
            assertThat(runOf(own.take()))
                    .as("what waited before the worker came")
                    .isEqualTo(waiting);
            String more = calls.submit(calls.owner(), other, "shared");
            String next = calls.submit(calls.owner(), one, "shared");
            assertThat(runOf(own.take())).isEqualTo(next);
            try (HandlerWorker all = calls.worker(calls.workerToken(), "shared")) {
                assertThat(List.of(runOf(all.take()), runOf(all.take()))).containsExactlyInAnyOrder(foreign, more);
            }
        }
    }

    @Test
    void sharedWorkersServeAWorkspaceThatHasWorkersOfItsOwn() throws InterruptedException {
        String workspace = calls.create(false);
        try (HandlerWorker own = calls.worker(calls.workerToken(workspace), "other-handler");
                HandlerWorker all = calls.worker(calls.workerToken(), "both")) {
            String run = calls.submit(calls.owner(), workspace, "both");
            assertThat(runOf(all.take())).isEqualTo(run);
            assertThat(own).isNotNull();
        }
    }

    @Test
    void aWorkerMayComeBeforeItsWorkspace() throws InterruptedException {
        try (HandlerWorker early = calls.worker(calls.workerToken("not-yet"), "early")) {
            early.welcome();
            calls.create("not-yet", false);
            String run = calls.submit(calls.owner(), "not-yet", "early");

            assertThat(runOf(early.take())).isEqualTo(run);
        }
    }

    @Test
    void jobsThatWaitMoveWhenTheirWorkspaceIsIsolated() throws InterruptedException {
        String workspace = calls.create(false);
        String waiting = calls.submit(calls.owner(), workspace, "moving");
        calls.isolate(workspace, true);
        try (HandlerWorker shared = calls.worker(calls.workerToken(), "moving");
                HandlerWorker own = calls.worker(calls.workerToken(workspace), "moving")) {
            assertThat(runOf(own.take())).isEqualTo(waiting);
            String common = calls.submit(calls.owner(), "", "moving");
            assertThat(runOf(shared.take())).isEqualTo(common);
        }
    }

    @Test
    void sharedWorkersServeAWorkspaceThatIsIsolatedNoLonger() throws InterruptedException {
        String workspace = calls.create(true);
        String waiting = calls.submit(calls.owner(), workspace, "opened");
        try (HandlerWorker shared = calls.worker(calls.workerToken(), "opened")) {
            calls.isolate(workspace, false);

            assertThat(runOf(shared.take())).isEqualTo(waiting);
        }
    }

    @Test
    void stepsOfFlowsStayWithTheWorkersOfTheirWorkspace() throws InterruptedException {
        String isolated = calls.create(true);
        FlowServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setWorkspace(isolated)
                        .setFileName("f.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                {millrace: v1, name: flow, steps: [
                                  {id: limited, handler: flow-step, limit: {key: one, max: 1}},
                                  {id: together, needs: [limited], same_worker: true, steps: [
                                    {id: first, handler: flow-step},
                                    {id: second, handler: flow-step, needs: [first]}]}]}
                                """))
                        .build());
        try (HandlerWorker shared = calls.worker(calls.workerToken(), "flow-step");
                HandlerWorker own = calls.worker(calls.workerToken(isolated), "flow-step")) {
            String run =
                    calls.submit(calls.owner(), isolated, RunTarget.newBuilder().setFlowPath("flow"));
            for (int step = 0; step < 3; step++) {
                Lease lease = own.take();
                assertThat(runOf(lease)).isEqualTo(run);
                own.succeed(lease, "1");
            }
            String common = calls.submit(calls.owner(), "", "flow-step");
            assertThat(runOf(shared.take())).as("the only job for all workers").isEqualTo(common);
        }
    }

    @Test
    void aRunThatIsRetriedGoesToTheWorkersThatItsWorkspaceHasNow() throws InterruptedException {
        String workspace = calls.create(false);
        String run = calls.submit(calls.owner(), workspace, "retried");
        calls.cancel(calls.owner(), workspace, run);
        calls.isolate(workspace, true);
        // As if the workspace had been isolated long ago.
        calls.scheduler.database().execute("update workspace set moving_until = null");
        OperationServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .retryRun(RetryRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setRunId(run)
                        .build());
        try (HandlerWorker shared = calls.worker(calls.workerToken(), "retried");
                HandlerWorker own = calls.worker(calls.workerToken(workspace), "retried")) {
            assertThat(runOf(own.take())).isEqualTo(run);
            String common = calls.submit(calls.owner(), "", "retried");
            assertThat(runOf(shared.take())).isEqualTo(common);
        }
    }

    @Test
    void aJobThatComesBackGoesToTheWorkersThatItsWorkspaceHasNow() throws InterruptedException {
        String workspace = calls.create(false);
        try (HandlerWorker shared = calls.worker(calls.workerToken(), "returned")) {
            String run = calls.submit(calls.owner(), workspace, "returned");
            Lease lease = shared.take();
            calls.isolate(workspace, true);
            shared.giveBack(lease);
            try (HandlerWorker own = calls.worker(calls.workerToken(workspace), "returned")) {
                assertThat(runOf(own.take())).isEqualTo(run);
            }
            String common = calls.submit(calls.owner(), "", "returned");
            assertThat(runOf(shared.take())).isEqualTo(common);
        }
    }

    @Test
    void workersAnnounceNoTagsOfTheScheduler() throws InterruptedException {
        String isolated = calls.create(true);
        String secret = calls.submit(calls.owner(), isolated, "stolen");
        for (String tag : List.of("~" + isolated + "/handler:stolen", "@limit/default/x")) {
            try (HandlerWorker thief = new HandlerWorker(calls.with(calls.workerToken()), tag)) {
                assertThat(thief.failure()).hasMessageContaining("do not begin with '@' or '~'");
            }
        }
        try (HandlerWorker own = calls.worker(calls.workerToken(isolated), "stolen")) {
            assertThat(runOf(own.take())).isEqualTo(secret);
        }
    }

    @Test
    void aSessionIsResumedUnderItsOwnTokenOnly() {
        String token = calls.workerToken();
        HandlerWorker first = calls.worker(token, "resumed");
        Welcome opened = first.welcome();
        first.disconnect();
        Hello.Builder resume = Hello.newBuilder()
                .setSessionId(opened.getSessionId())
                .setResumeToken(opened.getResumeToken())
                .addSlotGroups(HandlerWorker.group("all", "resumed").setSlots(1));
        try (HandlerWorker thief = new HandlerWorker(calls.with(calls.workerToken()), resume)) {
            assertThat(thief.welcome().getResumed()).isFalse();
            assertThat(thief.welcome().getSessionId()).isNotEqualTo(opened.getSessionId());
        }
        try (HandlerWorker again = new HandlerWorker(calls.with(token), resume)) {
            assertThat(again.welcome().getResumed()).isTrue();
        }
    }

    @Test
    void submissionsNameNoTagsOfTheScheduler() {
        for (String tag : List.of("~default/any", "@limit/default/x")) {
            RunSpec spec = RunSpec.newBuilder()
                    .setTarget(RunTarget.newBuilder().setHandler("any"))
                    .setTag(tag)
                    .build();
            var refusal = refusal(() -> RunServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                    .submitRun(SubmitRunRequest.newBuilder().setSpec(spec).build()));
            assertThat(code(refusal)).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(violatedFields(refusal)).containsExactly("spec.tag");
        }
    }

    @Test
    void callersSeeTheWorkersThatMayServeTheirWorkspaces() throws InterruptedException {
        String one = calls.create(true);
        String other = calls.create(true);
        String viewer = calls.user(one, Role.ROLE_VIEWER);
        try (HandlerWorker own = calls.worker(calls.workerToken(one), "seen-own");
                HandlerWorker foreign = calls.worker(calls.workerToken(other), "seen-foreign");
                HandlerWorker shared = calls.worker(calls.workerToken(), "seen-shared")) {
            for (HandlerWorker worker : List.of(own, foreign, shared)) {
                worker.welcome();
            }
            assertThat(tags(viewer))
                    .contains("handler:seen-own")
                    .doesNotContain("handler:seen-foreign", "handler:seen-shared");
            assertThat(tags(calls.owner())).contains("handler:seen-own", "handler:seen-foreign", "handler:seen-shared");
            calls.isolate(one, false);
            assertThat(tags(viewer))
                    .contains("handler:seen-own", "handler:seen-shared")
                    .doesNotContain("handler:seen-foreign");
        }
    }

    private List<String> tags(String token) {
        return WorkerServiceGrpc.newBlockingStub(calls.with(token))
                .listWorkers(ListWorkersRequest.getDefaultInstance())
                .getWorkersList()
                .stream()
                .flatMap(worker -> worker.getSlotGroupsList().stream())
                .flatMap(group -> group.getTagsList().stream())
                .toList();
    }

    private static String runOf(Lease lease) {
        return lease.getRunId();
    }
}
