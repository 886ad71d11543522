package dev.millrace.scheduler.operation;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.ListRunHistoryRequest;
import dev.millrace.proto.operation.v1.ListRunHistoryResponse;
import dev.millrace.proto.operation.v1.ListRunOperationsRequest;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.operation.v1.PauseRunRequest;
import dev.millrace.proto.operation.v1.PinRunRequest;
import dev.millrace.proto.operation.v1.PinServiceGrpc;
import dev.millrace.proto.operation.v1.RerunRunRequest;
import dev.millrace.proto.operation.v1.ResumeRunRequest;
import dev.millrace.proto.operation.v1.RetryRunRequest;
import dev.millrace.proto.operation.v1.RunHistoryEntry;
import dev.millrace.proto.operation.v1.RunOperation;
import dev.millrace.proto.operation.v1.SkipStepRequest;
import dev.millrace.proto.operation.v1.UnpinRunRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OperationServiceTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final OperationNote NOTE = OperationNote.newBuilder()
            .setActor("ann")
            .setReason("no longer needed")
            .build();

    @Test
    void cancelsARunOnceAndRecordsWhoAsked() {
        String run = submit();

        Run canceled = cancel(run, NOTE);

        assertThat(canceled.getState()).isEqualTo(Run.State.STATE_CANCELED);
        assertThat(canceled.getError().getMessage()).contains("no longer needed");
        assertThat(operations(run)).singleElement().satisfies(recorded -> {
            assertThat(recorded.getOperation()).isEqualTo(OperationKind.OPERATION_KIND_CANCEL);
            assertThat(recorded.getNote()).isEqualTo(NOTE);
        });
        StatusRuntimeException again = failure(() -> cancel(run, NOTE));
        assertThat(code(again)).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(reason(again)).isEqualTo("RUN_ENDED");
    }

    @Test
    void tellsOfAnswersRepeatedAttemptsAndOperationsInTheirOrder() throws InterruptedException {
        FlowRuns flows = new FlowRuns(SCHEDULER);
        flows.deploy("""
                millrace: v1
                name: told
                steps:
                  - {id: ask, wait: {approval: release}}
                  - {id: ship, handler: told, retry: {max_retries: 1, delay: 1ms}}
                """);
        String run = flows.submit("told").getId();
        answer(run, "ask", "ann", "{\"comment\": \"looks good\"}");
        try (HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:told")) {
            worker.fail(worker.take(), "TimeoutError", "the carrier did not answer");
            worker.succeed(worker.take(), "1");
        }
        var _ = flows.end(run);
        PinServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .pinRun(PinRunRequest.newBuilder().setRunId(run).setNote(NOTE).build());

        List<RunHistoryEntry> first = history(run, "", 1);
        List<RunHistoryEntry> all = history(run, "", 0);

        assertThat(all)
                .extracting(RunHistoryEntry::getKind, RunHistoryEntry::getStep, RunHistoryEntry::getWhat)
                .containsExactly(
                        tuple(RunHistoryEntry.Kind.KIND_ANSWER, "ask", "approve"),
                        tuple(RunHistoryEntry.Kind.KIND_ATTEMPT, "ship", "TimeoutError"),
                        tuple(RunHistoryEntry.Kind.KIND_OPERATION, "", "pin"));
        assertThat(all).extracting(RunHistoryEntry::getWho).containsExactly("ann", "tester", "ann");
        assertThat(all.get(0).getDetails().toStringUtf8()).contains("looks good");
        assertThat(all.get(1).getWhy()).isEqualTo("the carrier did not answer");
        assertThat(all.get(1).getDetails().toStringUtf8()).contains("\"attempt\" : 1");
        assertThat(all.get(2).getWhy()).isEqualTo(NOTE.getReason());
        assertThat(first).containsExactly(all.getFirst());
    }

    @Test
    void pagesOfAHistoryLoseNothing() {
        String run = submit();
        for (int i = 0; i < 5; i++) {
            SCHEDULER
                    .operations()
                    .pauseRun(PauseRunRequest.newBuilder().setRunId(run).build());
            SCHEDULER
                    .operations()
                    .resumeRun(ResumeRunRequest.newBuilder().setRunId(run).build());
        }

        List<RunHistoryEntry> found = new ArrayList<>();
        String token = "";
        do {
            ListRunHistoryResponse page = historyPage(run, token, 3);
            found.addAll(page.getEntriesList());
            token = page.getNextPageToken();
        } while (!token.isEmpty());

        assertThat(found).hasSize(10).isEqualTo(history(run, "", 0));
    }

    private static void answer(String run, String step, String actor, String payload) {
        SignalServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .answerWait(AnswerWaitRequest.newBuilder()
                        .setRunId(run)
                        .setStep(step)
                        .setActor(actor)
                        .setAnswer(AnswerWaitRequest.Answer.ANSWER_APPROVE)
                        .setPayload(ByteString.copyFromUtf8(payload))
                        .build());
    }

    private static List<RunHistoryEntry> history(String run, String token, int size) {
        return historyPage(run, token, size).getEntriesList();
    }

    private static ListRunHistoryResponse historyPage(String run, String token, int size) {
        return SCHEDULER
                .operations()
                .listRunHistory(ListRunHistoryRequest.newBuilder()
                        .setRunId(run)
                        .setPageToken(token)
                        .setPageSize(size)
                        .build());
    }

    @Test
    void answersACancelWithTheSameRequestIdAsTheFirstOne() {
        String run = submit();
        OperationNote note = NOTE.toBuilder().setRequestId("cancel-1").build();

        Run first = cancel(run, note);
        Run second = cancel(run, note);

        assertThat(second).isEqualTo(first);
        assertThat(operations(run)).hasSize(1);
    }

    @Test
    void refusesToCancelUnderTheRequestIdOfAnotherOperation() {
        String run = submit();
        OperationNote note = NOTE.toBuilder().setRequestId("once").build();
        var _ = SCHEDULER
                .operations()
                .pauseRun(
                        PauseRunRequest.newBuilder().setRunId(run).setNote(note).build());

        StatusRuntimeException refused = failure(() -> cancel(run, note));

        assertThat(code(refused)).isEqualTo(Status.Code.ALREADY_EXISTS);
        assertThat(reason(refused)).isEqualTo("REQUEST_ID_REUSED");
    }

    @Test
    void refusesToCancelWhatItDoesNotKnowOrCannotRecord() {
        String unknown = UUID.randomUUID().toString();
        OperationNote tooLong = NOTE.toBuilder().setReason("x".repeat(1_001)).build();

        assertThat(reason(failure(() -> cancel(unknown, NOTE)))).isEqualTo("RUN_NOT_FOUND");
        assertThat(violatedFields(failure(() -> cancel("nonsense", NOTE)))).containsExactly("run_id");
        assertThat(violatedFields(failure(() -> cancel(submit(), tooLong)))).containsExactly("reason");
    }

    @Test
    void recordsEachOperationUnderItsKind() {
        String run = submit();
        var operations = SCHEDULER.operations();
        var _ = operations.pauseRun(PauseRunRequest.newBuilder().setRunId(run).build());
        var _ = operations.resumeRun(ResumeRunRequest.newBuilder().setRunId(run).build());
        cancel(run, NOTE);
        var _ = operations.retryRun(RetryRunRequest.newBuilder().setRunId(run).build());

        assertThat(operations(run))
                .extracting(RunOperation::getOperation)
                .containsExactly(
                        OperationKind.OPERATION_KIND_PAUSE,
                        OperationKind.OPERATION_KIND_RESUME,
                        OperationKind.OPERATION_KIND_CANCEL,
                        OperationKind.OPERATION_KIND_RETRY);
    }

    @Test
    void recordsPinsAmongTheOperations() {
        String run = submit();
        var pins = PinServiceGrpc.newBlockingStub(SCHEDULER.channel()).withDeadlineAfter(60, TimeUnit.SECONDS);
        OperationNote note = NOTE.toBuilder().setRequestId("pin-1").build();
        var _ = pins.pinRun(
                PinRunRequest.newBuilder().setRunId(run).setNote(note).build());
        var _ = pins.unpinRun(UnpinRunRequest.newBuilder().setRunId(run).build());

        assertThat(operations(run))
                .extracting(RunOperation::getOperation)
                .containsExactly(OperationKind.OPERATION_KIND_PIN, OperationKind.OPERATION_KIND_UNPIN);
        assertThat(reason(failure(() -> cancel(run, note)))).isEqualTo("REQUEST_ID_REUSED");
    }

    @Test
    void requiresTheKeyOfAStep() {
        String run = submit();
        var operations = SCHEDULER.operations();

        assertThat(violatedFields(failure(() -> operations.skipStep(
                        SkipStepRequest.newBuilder().setRunId(run).build()))))
                .containsExactly("step");
        assertThat(violatedFields(failure(() -> operations.rerunRun(
                        RerunRunRequest.newBuilder().setRunId(run).build()))))
                .containsExactly("step");
    }

    @Test
    void checksTheVersionAndTheInputOfAStepBeforeARerun() {
        String first = deploy("{id: a, handler: nobody}");
        String other = deploy("{id: a, wait: {signal: go}}");
        String run = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowHash(first)))
                        .build())
                .getRun()
                .getId();
        var operations = SCHEDULER.operations();
        RerunRunRequest rerun =
                RerunRunRequest.newBuilder().setRunId(run).setStep("a").build();
        ByteString input = ByteString.copyFromUtf8("{}");

        var unknown = rerun.toBuilder().setFlowHash("0".repeat(64)).build();
        assertThat(reason(failure(() -> operations.rerunRun(unknown)))).isEqualTo("FLOW_NOT_FOUND");
        var nowhere = rerun.toBuilder().setStep("b").setStepInput(input).build();
        assertThat(reason(failure(() -> operations.rerunRun(nowhere)))).isEqualTo("STEP_NOT_FOUND");
        var waits = rerun.toBuilder().setFlowHash(other).setStepInput(input).build();
        assertThat(violatedFields(failure(() -> operations.rerunRun(waits)))).containsExactly("step_input");
        var list =
                rerun.toBuilder().setStepInput(ByteString.copyFromUtf8("[1]")).build();
        assertThat(violatedFields(failure(() -> operations.rerunRun(list)))).containsExactly("step_input");
        var single = rerun.toBuilder().setRunId(submit()).setFlowHash(other).build();
        assertThat(violatedFields(failure(() -> operations.rerunRun(single)))).containsExactly("flow_hash");

        Run begun = operations
                .rerunRun(rerun.toBuilder().setFlowHash(other).build())
                .getRun();
        assertThat(begun.getTarget().getFlowHash()).isEqualTo(other);
        assertThat(begun.getName()).isEqualTo("operation/rerun");
    }

    @Test
    void doesNotCountTheTimeOfReusedSteps() {
        String flow = deploy("{id: a, value: 1}, {id: b, wait: {signal: go}}");
        Run first = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowHash(flow)))
                        .build())
                .getRun();
        String again = SCHEDULER
                .operations()
                .rerunRun(RerunRunRequest.newBuilder()
                        .setRunId(first.getId())
                        .setStep("b")
                        .build())
                .getRun()
                .getId();

        assertThat(get(first.getId()).hasStartTime()).isTrue();
        assertThat(get(again).hasStartTime()).isFalse();
        cancel(first.getId(), NOTE);
        cancel(again, NOTE);
        assertThat(get(first.getId())).satisfies(OperationServiceTest::beganAfterItsCreation);
        assertThat(get(again)).satisfies(OperationServiceTest::beganAfterItsCreation);
    }

    private static void beganAfterItsCreation(Run run) {
        assertThat(Timestamps.compare(run.getStartTime(), run.getCreateTime())).isNotNegative();
        assertThat(run.getWaitDuration()).isEqualTo(Timestamps.between(run.getCreateTime(), run.getStartTime()));
        assertThat(run.getRunDuration()).isEqualTo(Timestamps.between(run.getStartTime(), run.getEndTime()));
    }

    private static Run get(String run) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun();
    }

    private static String deploy(String step) {
        return SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setDefinition(
                                ByteString.copyFromUtf8("{millrace: v1, name: operation/rerun, steps: [" + step + "]}"))
                        .setFileName("flow.yaml")
                        .build())
                .getFlow()
                .getHash();
    }

    private static String submit() {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(handler("nobody", UnaryOperator.identity()))
                        .build())
                .getRun()
                .getId();
    }

    private static Run cancel(String run, OperationNote note) {
        return SCHEDULER
                .operations()
                .cancelRun(CancelRunRequest.newBuilder()
                        .setRunId(run)
                        .setNote(note)
                        .build())
                .getRun();
    }

    private static List<RunOperation> operations(String run) {
        return SCHEDULER
                .operations()
                .listRunOperations(
                        ListRunOperationsRequest.newBuilder().setRunId(run).build())
                .getOperationsList();
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
