package dev.millrace.scheduler.signal;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.operation.v1.ListPinnedRunsRequest;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.PinRunRequest;
import dev.millrace.proto.operation.v1.PinServiceGrpc;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.CreateWaitLinksRequest;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests that who answers, starts and operates comes from the token, on a scheduler that wants tokens of everybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApproverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    ApproverTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @BeforeAll
    void deploy() {
        deploy("name: assigned\nsteps:\n  - {id: ask, wait: {approval: release, details: {assignees: [boss]}}}\n");
        deploy("name: careful\nsteps:\n  - {id: ask, wait: {approval: release, details: {self_approval: false}}}\n");
        deploy("name: outer\nsteps:\n  - {id: below, flow: careful, as: run}\n");
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void nobodyAnswersInTheNameOfAnApprover() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        String run = submit(runner, "assigned");
        awaitWait(runner, run);

        StatusRuntimeException refusal = refusal(() -> answer(runner, run, "boss"));

        assertThat(reason(refusal)).isEqualTo("NOT_ASSIGNED");
        assertThat(refusal).hasMessageContaining("\"" + name(runner) + "\" may not answer");
        assertThat(code(refusal(() -> link(runner, run, "boss")))).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void nobodyApprovesAnOwnRunWhereThatIsForbidden() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        String other = calls.user("default", "", Role.ROLE_RUNNER);
        String run = submit(runner, "careful");
        awaitWait(runner, run);

        assertThat(refusal(() -> answer(runner, run, ""))).hasMessageContaining("has started this run");
        assertThat(refusal(() -> link(runner, run, name(runner)))).hasMessageContaining("has started this run");

        answer(other, run, "");
    }

    @Test
    void nobodyApprovesARunThatAnOwnRunHasStarted() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        submit(runner, "outer");
        Run child = awaited(() -> runs(runner).stream()
                .filter(run ->
                        run.getName().equals("careful") && run.getStartedBy().equals(name(runner)))
                .toList());
        awaitWait(runner, child.getId());

        assertThat(refusal(() -> answer(runner, child.getId(), ""))).hasMessageContaining("has started this run");
    }

    @Test
    void whoeverRestartsARunHasStartedTheNewOne() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        String other = calls.user("default", "", Role.ROLE_RUNNER);
        String run = submit(runner, "careful");

        Run again = OperationServiceGrpc.newBlockingStub(calls.with(other))
                .restartRun(RestartRunRequest.newBuilder().setRunId(run).build())
                .getRun();

        assertThat(get(other, run).getStartedBy()).isEqualTo(name(runner));
        assertThat(get(other, again.getId()).getStartedBy()).isEqualTo(name(other));
    }

    @Test
    void nobodyPinsInTheNameOfSomebodyElse() {
        String runner = calls.user("default", "", Role.ROLE_RUNNER);
        String run = submit(runner, "careful");

        PinServiceGrpc.newBlockingStub(calls.with(runner))
                .pinRun(PinRunRequest.newBuilder()
                        .setRunId(run)
                        .setNote(OperationNote.newBuilder().setActor("boss"))
                        .build());

        assertThat(PinServiceGrpc.newBlockingStub(calls.with(runner))
                        .listPinnedRuns(ListPinnedRunsRequest.getDefaultInstance())
                        .getPinnedRunsList())
                .filteredOn(pinned -> pinned.getRunId().equals(run))
                .singleElement()
                .satisfies(pinned -> assertThat(pinned.getNote().getActor()).isEqualTo(name(runner)));
    }

    private void deploy(String definition) {
        FlowServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setDefinition(ByteString.copyFromUtf8("millrace: v1\n" + definition))
                        .build());
    }

    private String submit(String token, String path) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(path)))
                        .build())
                .getRun()
                .getId();
    }

    private Run get(String token, String run) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun();
    }

    private List<Run> runs(String token) {
        return RunServiceGrpc.newBlockingStub(calls.with(token))
                .listRuns(ListRunsRequest.getDefaultInstance())
                .getRunsList()
                .stream()
                .map(run -> get(token, run.getId()))
                .toList();
    }

    private void awaitWait(String token, String run) {
        awaited(() -> SignalServiceGrpc.newBlockingStub(calls.with(token))
                .listWaits(ListWaitsRequest.newBuilder().setRunId(run).build())
                .getWaitsList());
    }

    private void answer(String token, String run, String actor) {
        SignalServiceGrpc.newBlockingStub(calls.with(token))
                .answerWait(AnswerWaitRequest.newBuilder()
                        .setRunId(run)
                        .setAnswer(AnswerWaitRequest.Answer.ANSWER_APPROVE)
                        .setActor(actor)
                        .build());
    }

    private void link(String token, String run, String actor) {
        SignalServiceGrpc.newBlockingStub(calls.with(token))
                .createWaitLinks(CreateWaitLinksRequest.newBuilder()
                        .setRunId(run)
                        .setStep("ask")
                        .addActors(actor)
                        .build());
    }

    private String name(String token) {
        return PrincipalServiceGrpc.newBlockingStub(calls.with(token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getPrincipal()
                .getName();
    }

    /** The first of the things that are there after some time. */
    private static <T> T awaited(Supplier<List<T>> read) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<T> found = read.get();
        while (found.isEmpty() && System.nanoTime() < end) {
            found = read.get();
        }
        return found.getFirst();
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call was allowed").isNotNull();
        return refusal;
    }
}
