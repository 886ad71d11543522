package dev.millrace.e2e.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.operation.v1.BulkOperationServiceGrpc;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RerunRunRequest;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.operation.v1.RunIds;
import dev.millrace.proto.operation.v1.SkipStepRequest;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.proto.signal.v1.Wait;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** People of a workspace reach for what their role there does not give them. */
final class RoleAttackTest {
    private static final String DEFAULT = "default";

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;
    private static String bobsToken = "";
    private static Channel admin;
    private static Channel ada;
    private static Channel bob;

    @BeforeAll
    static void start() {
        installation = GuardedInstallation.start("attack-role", folder);
        bobsToken = installation.user("bob", DEFAULT, "", Role.ROLE_RUNNER);
        admin = installation.with(installation.user("admin", DEFAULT, "", Role.ROLE_ADMIN));
        ada = installation.with(installation.user("ada", DEFAULT, "", Role.ROLE_RUNNER));
        bob = installation.with(bobsToken);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    @Tag("attack-10")
    void aRunnerRunsNothingThatIsNotDeployed() {
        String hash = ScriptServiceGrpc.newBlockingStub(admin)
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath("b/script.py")
                        .setContent(ByteString.copyFromUtf8("def main():\n    return 1\n"))
                        .build())
                .getScript()
                .getHash();

        assertThat(refusal(() -> submit(bob, RunTarget.newBuilder().setScriptHash(hash))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(() -> submit(bob, RunTarget.newBuilder().setHandler("nobody"))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(submit(bob, RunTarget.newBuilder().setScriptPath("b/script.py")))
                .isNotEmpty();
    }

    @Test
    @Tag("attack-10")
    void aRunnerGivesNoInputToWhatIsNotDeployed() {
        String handler = submit(admin, RunTarget.newBuilder().setHandler("nobody"));
        deploy(admin, "shop/plain", "[{id: a, handler: nobody}]");
        String flow = submit(admin, RunTarget.newBuilder().setFlowPath("shop/plain"));

        assertThat(refusal(() -> restart(bob, handler, "{\"url\": 1}"))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(() -> restart(bob, flow, "{}"))).isEqualTo(Status.Code.OK);
        deploy(admin, "shop/plain", "[{id: b, handler: nobody}]");
        assertThat(refusal(() -> restart(bob, flow, "{}"))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(() -> restart(bob, flow, ""))).isEqualTo(Status.Code.OK);
    }

    @Test
    @Tag("attack-11")
    void aViewerSendsNoSignal() {
        Channel viewer = installation.with(installation.user(DEFAULT, "", Role.ROLE_VIEWER));
        deploy(admin, "shop/signal", "[{id: ask, wait: {signal: go}}]");
        String run = waitingRun(admin, "shop/signal");
        SendSignalRequest signal =
                SendSignalRequest.newBuilder().setRunId(run).setName("go").build();

        assertThat(refusal(() -> SignalServiceGrpc.newBlockingStub(viewer).sendSignal(signal)))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(SignalServiceGrpc.newBlockingStub(bob).sendSignal(signal).getStep())
                .isEqualTo("ask");
    }

    @Test
    @Tag("attack-12")
    void nobodyAnswersInTheNameOfAnAssignee() {
        deploy(admin, "shop/assigned", "[{id: ask, wait: {approval: ship, details: {assignees: [ada]}}}]");
        String run = waitingRun(admin, "shop/assigned");

        assertThat(refusal(() -> approve(bob, run, "ada"))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(() -> signLink(bob, run, "ada"))).isEqualTo(Status.Code.PERMISSION_DENIED);
        approve(ada, run, "");
        awaitSuccess(run);
    }

    @Test
    @Tag("attack-12")
    void nobodyAnswersTwiceUnderTwoNames() {
        deploy(admin, "shop/two", "[{id: ask, wait: {approval: ship, required: 2}}]");
        String run = waitingRun(admin, "shop/two");

        approve(bob, run, "cleo");
        approve(bob, run, "dora");

        assertThat(onlyWait(run).getApproversList()).containsExactly("bob");
        assertThat(refusal(() -> signLink(bob, run, "cleo"))).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    @Tag("attack-13")
    void nobodyApprovesAnOwnRunWhereThatIsForbidden() {
        deploy(admin, "shop/checked", "[{id: ask, wait: {approval: ship, details: {self_approval: false}}}]");
        String run = waitingRun(bob, "shop/checked");
        Channel bobAgain = installation.with(TokenServiceGrpc.newBlockingStub(bob)
                .createToken(CreateTokenRequest.newBuilder().setName("second").build())
                .getSecret());

        for (Channel own : List.of(bob, bobAgain)) {
            assertThat(refusal(() -> approve(own, run, ""))).isEqualTo(Status.Code.PERMISSION_DENIED);
            assertThat(refusal(() -> approve(own, run, "ada"))).isEqualTo(Status.Code.PERMISSION_DENIED);
            assertThat(refusal(() -> signLink(own, run, "bob"))).isEqualTo(Status.Code.PERMISSION_DENIED);
        }
        approve(ada, run, "");
        awaitSuccess(run);
    }

    @Test
    @Tag("attack-13")
    void nobodyGetsAroundAnApproval() {
        deploy(admin, "shop/around", "[{id: ask, wait: {approval: ship}}, {id: pay, value: 1}]");
        String approved = waitingRun(bob, "shop/around");
        approve(ada, approved, "");
        awaitSuccess(approved);
        String run = waitingRun(bob, "shop/around");

        assertThat(refusal(() -> OperationServiceGrpc.newBlockingStub(bob)
                        .skipStep(SkipStepRequest.newBuilder()
                                .setRunId(run)
                                .setStep("ask")
                                .build())))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(() -> OperationServiceGrpc.newBlockingStub(bob)
                        .rerunRun(RerunRunRequest.newBuilder()
                                .setRunId(approved)
                                .setStep("pay")
                                .build())))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        for (OperationKind kind : List.of(OperationKind.OPERATION_KIND_SKIP, OperationKind.OPERATION_KIND_RERUN)) {
            assertThat(refusal(() -> BulkOperationServiceGrpc.newBlockingStub(bob)
                            .startBulkOperation(StartBulkOperationRequest.newBuilder()
                                    .setOperation(kind)
                                    .setStep("ask")
                                    .setRunIds(RunIds.newBuilder().addIds(run))
                                    .build())))
                    .as("%s in bulk", kind)
                    .isEqualTo(Status.Code.PERMISSION_DENIED);
        }
        assertThat(onlyWait(run).getStep()).isEqualTo("ask");
    }

    @Test
    @Tag("attack-14")
    void aFlowCannotContainAFlowThatItsDeveloperMayNotRun() {
        Channel developer = installation.with(installation.user(DEFAULT, "open", Role.ROLE_DEVELOPER));
        deploy(admin, "closed/flow", "[{id: a, handler: nobody}]");

        assertThat(refusal(() -> deploy(developer, "open/flow", "[{id: a, flow: closed/flow}]")))
                .isNotEqualTo(Status.Code.OK);
        assertThat(refusal(() -> deploy(developer, "open/flow", "[{id: a, handler: nobody}]")))
                .isEqualTo(Status.Code.OK);
        assertThat(refusal(() -> deploy(admin, "open/flow", "[{id: a, flow: closed/flow}]")))
                .isEqualTo(Status.Code.OK);
    }

    private static void deploy(Channel caller, String path, String steps) {
        FlowServiceGrpc.newBlockingStub(caller)
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setDefinition(
                                ByteString.copyFrom("{millrace: v1, name: " + path + ", steps: " + steps + "}", UTF_8))
                        .build());
    }

    private static String submit(Channel caller, RunTarget.Builder target) {
        return RunServiceGrpc.newBlockingStub(caller)
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build())
                .getRun()
                .getId();
    }

    /** A run of the flow whose first step waits. */
    private static String waitingRun(Channel caller, String path) {
        String run = submit(caller, RunTarget.newBuilder().setFlowPath(path));
        Await.until("the step waits", Api.PATIENCE, () -> !waits(run).isEmpty());
        return run;
    }

    private static List<Wait> waits(String run) {
        return SignalServiceGrpc.newBlockingStub(admin)
                .listWaits(ListWaitsRequest.newBuilder().setRunId(run).build())
                .getWaitsList();
    }

    private static Wait onlyWait(String run) {
        assertThat(waits(run)).hasSize(1);
        return waits(run).getFirst();
    }

    private static void approve(Channel caller, String run, String actor) {
        var _ = SignalServiceGrpc.newBlockingStub(caller)
                .answerWait(AnswerWaitRequest.newBuilder()
                        .setRunId(run)
                        .setStep("ask")
                        .setAnswer(AnswerWaitRequest.Answer.ANSWER_APPROVE)
                        .setActor(actor)
                        .build());
    }

    private static void signLink(Channel caller, String run, String actor) {
        var _ = SignalServiceGrpc.newBlockingStub(caller)
                .createWaitLinks(CreateWaitLinksRequest.newBuilder()
                        .setRunId(run)
                        .setStep("ask")
                        .addActors(actor)
                        .build());
    }

    private static void restart(Channel caller, String run, String input) {
        var _ = OperationServiceGrpc.newBlockingStub(caller)
                .restartRun(RestartRunRequest.newBuilder()
                        .setRunId(run)
                        .setInput(ByteString.copyFromUtf8(input))
                        .build());
    }

    private static void awaitSuccess(String run) {
        Await.until(
                "the run has succeeded",
                Api.PATIENCE,
                () -> RunServiceGrpc.newBlockingStub(admin)
                                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                                .getRun()
                                .getState()
                        == Run.State.STATE_SUCCEEDED);
    }

    /** The code with which the call is refused; OK if it is not. */
    private static Status.Code refusal(Executable call) {
        StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, call::execute);
        return refused == null
                ? Status.Code.OK
                : Objects.requireNonNull(refused.getStatus()).getCode();
    }
}
