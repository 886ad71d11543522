package dev.millrace.scheduler.version;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeleteFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.ListFlowsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeleteScriptRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeletionTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Database DATABASE = SCHEDULER.open();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);
    private static final int RACES = 40;

    @Test
    void refusesNewRunsOfADeletedFlow() {
        String hash = deployFlow("plain", "steps: [{id: x, value: 1}]");
        FLOWS.run("plain");

        assertThat(deleteFlow("plain", false)).isEqualTo(hash);

        assertThat(reason(failure(() -> FLOWS.submit("plain")))).isEqualTo("FLOW_NOT_FOUND");
        assertThat(reason(failure(() -> FLOWS.submit("plain@1")))).isEqualTo("FLOW_NOT_FOUND");
        assertThat(reason(failure(() -> deleteFlow("plain", true)))).isEqualTo("FLOW_NOT_FOUND");
        assertThat(SCHEDULER
                        .flows()
                        .listFlows(ListFlowsRequest.getDefaultInstance())
                        .getFlowsList())
                .noneMatch(flow -> flow.getPath().equals("plain"));
        assertThat(submit(RunTarget.newBuilder().setFlowHash(hash)).getId()).isNotEmpty();
        assertThat(deployFlow("plain", "steps: [{id: x, value: 1}]")).isEqualTo(hash);
        FLOWS.run("plain");
    }

    @Test
    void namesTheRunsInProgressAndLetsThemGoOn() throws InterruptedException {
        deployFlow("busy", "steps: [{id: x, handler: busy}]");
        try (var worker = new HandlerWorker(SCHEDULER.channel(), "handler:busy")) {
            Run run = FLOWS.submit("busy");
            Lease lease = worker.take();

            StatusRuntimeException refused = failure(() -> deleteFlow("busy", false));
            assertThat(reason(refused)).isEqualTo("IN_USE");
            assertThat(refused).hasMessageContaining("the run in progress " + run.getId());
            deleteFlow("busy", true);

            assertThat(reason(failure(() -> FLOWS.submit("busy")))).isEqualTo("FLOW_NOT_FOUND");
            worker.succeed(lease, "1");
            assertThat(FLOWS.end(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        }
    }

    @Test
    void namesTheFlowsThatCallIt() {
        deployFlow("called", "steps: [{id: x, value: 1}]");
        deployFlow("calls", "steps: [{id: x, flow: called}]");
        deployFlow("starts", "steps: [{id: x, start: {flow: called}}]");
        deployFlow("fails", "steps: [{id: x, value: 1}]\nfailure_flow: called");

        assertThat(failure(() -> deleteFlow("called", false)))
                .hasMessageContaining("is used by the flows calls, fails, starts.");

        deployFlow("starts", "steps: [{id: x, value: 2}]");
        deleteFlow("fails", false);
        assertThat(failure(() -> deleteFlow("called", false))).hasMessageContaining("is used by the flow calls.");
        deleteFlow("called", true);
        assertThat(FLOWS.run("calls").getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
    }

    @Test
    void namesTheFlowsThatNameAScriptButNotThoseThatBringTheirOwn() {
        deployScript("shared.py");
        deployFlow("names", "steps: [{id: x, script: shared.py}]");
        deployFlow("brings", "steps: [{id: x, script: shared.py}]", "shared.py");

        StatusRuntimeException refused = failure(() -> deleteScript("shared.py", false));
        assertThat(reason(refused)).isEqualTo("IN_USE");
        assertThat(refused).hasMessageContaining("The script shared.py is used by the flow names.");
        deleteFlow("names", false);
        deleteScript("shared.py", false);

        assertThat(reason(failure(() -> submit(RunTarget.newBuilder().setScriptPath("shared.py")))))
                .isEqualTo("SCRIPT_NOT_FOUND");
        assertThat(failure(() -> deployFlow("names", "steps: [{id: x, script: shared.py}]")))
                .hasMessageContaining("shared.py");
    }

    @Test
    void namesTheRunsOfAScript() {
        deployScript("runs.py");
        Run run = submit(RunTarget.newBuilder().setScriptPath("runs.py"));

        assertThat(failure(() -> deleteScript("runs.py", false)))
                .hasMessageContaining("is used by the run in progress " + run.getId() + ".");
        deleteScript("runs.py", true);
    }

    @Test
    void refusesWhatWasDeletedThroughAnotherScheduler() {
        deployFlow("elsewhere", "steps: [{id: x, value: 1}]");
        FLOWS.run("elsewhere");
        DATABASE.run(dsl -> dsl.execute("delete from flow_path where path = 'elsewhere'"));

        assertThat(reason(failure(() -> FLOWS.submit("elsewhere")))).isEqualTo("FLOW_NOT_FOUND");
    }

    /** Either the deployment comes first and the deletion is refused, or the other way round. */
    @Test
    void deploysOrDeletesButNotBoth() {
        for (int race = 0; race < RACES; race++) {
            String script = "race" + race + ".py";
            deployScript(script);
            CyclicBarrier start = new CyclicBarrier(2);
            String caller = "race" + race;
            CompletableFuture<Boolean> deployed =
                    attempt(start, () -> deployFlow(caller, "steps: [{id: x, script: " + script + "}]"));
            CompletableFuture<Boolean> deleted = attempt(start, () -> deleteScript(script, false));

            assertThat(deployed.join()).as("race %s", race).isNotEqualTo(deleted.join());
        }
    }

    @Test
    void deploysFlowsAtOnceThatNameEachOther() {
        deployFlow("one", "steps: [{id: x, value: 1}]");
        deployFlow("other", "steps: [{id: x, value: 1}]");
        for (int race = 0; race < RACES; race++) {
            String value = Integer.toString(race);
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<Boolean> one = attempt(
                    start,
                    () -> deployFlow("one", "steps: [{id: x, start: {flow: other, input: {n: " + value + "}}}]"));
            CompletableFuture<Boolean> other = attempt(
                    start,
                    () -> deployFlow("other", "steps: [{id: x, start: {flow: one, input: {n: " + value + "}}}]"));

            assertThat(one.join() && other.join()).as("race %s", race).isTrue();
        }
    }

    @Test
    void neverLeavesARunThatCannotEndThoughItsFlowIsDeletedMeanwhile() {
        for (int race = 0; race < RACES; race++) {
            String flow = "meanwhile" + race;
            deployFlow(flow, "steps: [{id: x, value: 1}]");
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<Boolean> ran =
                    attempt(start, () -> assertThat(FLOWS.run(flow).getState()).isEqualTo(Run.State.STATE_SUCCEEDED));
            CompletableFuture<Boolean> deleted = attempt(start, () -> deleteFlow(flow, false));

            assertThat(ran.join() || deleted.join()).as("race %s", race).isTrue();
        }
    }

    /** Whether the call was accepted. */
    private static CompletableFuture<Boolean> attempt(CyclicBarrier start, Runnable call) {
        return CompletableFuture.supplyAsync(
                () -> {
                    assertThatCode(start::await).doesNotThrowAnyException();
                    try {
                        call.run();
                        return true;
                    } catch (StatusRuntimeException refused) {
                        assertThat(reason(refused)).isNotEqualTo("INTERNAL");
                        return false;
                    }
                },
                Thread::startVirtualThread);
    }

    private static StatusRuntimeException failure(Runnable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call::run);
    }

    private static Run submit(RunTarget.Builder target) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build())
                .getRun();
    }

    private static String deployFlow(String path, String definition, String... files) {
        DeployFlowRequest.Builder request = DeployFlowRequest.newBuilder()
                .setPath(path)
                .setFileName("flow.yaml")
                .setDefinition(ByteString.copyFromUtf8("millrace: v1\n" + definition));
        for (String file : files) {
            request.addFiles(FlowFile.newBuilder()
                    .setPath(file)
                    .setContent(ByteString.copyFromUtf8("def main(): return 'own'")));
        }
        return SCHEDULER.flows().deployFlow(request.build()).getFlow().getHash();
    }

    private static void deployScript(String path) {
        SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath(path)
                        .setContent(ByteString.copyFromUtf8("def main(): return 1"))
                        .build());
    }

    private static String deleteFlow(String path, boolean force) {
        return SCHEDULER
                .flows()
                .deleteFlow(DeleteFlowRequest.newBuilder()
                        .setPath(path)
                        .setForce(force)
                        .build())
                .getFlow()
                .getHash();
    }

    private static void deleteScript(String path, boolean force) {
        var _ = SCHEDULER
                .scripts()
                .deleteScript(DeleteScriptRequest.newBuilder()
                        .setPath(path)
                        .setForce(force)
                        .build());
    }
}
