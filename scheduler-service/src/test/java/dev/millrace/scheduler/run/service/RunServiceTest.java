package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.run.service.RunCalls.json;
import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import dev.millrace.proto.common.v1.RetryPolicy;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunServiceTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final RunCalls RUNS = new RunCalls(SCHEDULER);

    @Test
    void returnsAnAcceptedRunAtOnce() {
        Run run = RUNS.submit(handler("nobody", spec -> spec.setInput(json("{\"a\": 1}"))));

        assertThat(run.getState()).isEqualTo(Run.State.STATE_QUEUED);
        assertThat(RUNS.get(run.getId()).toBuilder().clearCreateTime().build())
                .isEqualTo(run.toBuilder().clearCreateTime().build());
        assertThat(run.getName()).isEqualTo("nobody");
        assertThat(run.getInput().toStringUtf8()).isEqualTo("{\"a\": 1}");
    }

    @Test
    void waitsForTheEndOfARun() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("waited")) {
            CompletableFuture<Run> waiting = CompletableFuture.supplyAsync(() -> RUNS.submit(
                    handler("waited", UnaryOperator.identity()),
                    request -> request.setWait(Duration.newBuilder().setSeconds(20))));

            worker.succeed(worker.take(), "{\"answer\":42}");

            Run run = waiting.join();
            assertThat(run.getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
            assertThat(run.getOutput().toStringUtf8()).isEqualTo("{\"answer\":42}");
            assertThat(run.hasEndTime()).isTrue();
        }
    }

    @Test
    void endsARunWhateverItsWorkerSends() throws InterruptedException {
        List<String> results = List.of(
                "[".repeat(501) + "]".repeat(501),
                "{\"a\":".repeat(50_000) + "1" + "}".repeat(50_000),
                "[".repeat(3_000_000),
                "{",
                "\0",
                "{\"a\":\"\0\"}",
                "\"\\ud800\"",
                "",
                "1 2");
        try (HandlerWorker worker = RUNS.worker("faulty")) {
            for (String result : results) {
                Run accepted = RUNS.submit(handler("faulty", UnaryOperator.identity()));
                worker.succeed(worker.take(), result);
                SCHEDULER
                        .runs()
                        .watchRun(WatchRunRequest.newBuilder()
                                .setRunId(accepted.getId())
                                .build())
                        .forEachRemaining(_ -> {});
                Run run = RUNS.get(accepted.getId());
                String shown = result.substring(0, Math.min(20, result.length()));
                if (run.getState() == Run.State.STATE_SUCCEEDED) {
                    assertThat(shown).isEqualTo("\"\\ud800\"");
                } else {
                    assertThat(run.getError().getName()).as(shown).isEqualTo("ResultError");
                }
            }
            Run deepest = RUNS.submit(handler("faulty", UnaryOperator.identity()));
            worker.succeed(worker.take(), "[".repeat(500) + "]".repeat(500));
            SCHEDULER
                    .runs()
                    .watchRun(WatchRunRequest.newBuilder()
                            .setRunId(deepest.getId())
                            .build())
                    .forEachRemaining(_ -> {});
            assertThat(RUNS.get(deepest.getId()).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        }
    }

    @Test
    void returnsTheRunAsItStandsWhereTheWaitIsOver() {
        Run run = RUNS.submit(
                handler("nobody", UnaryOperator.identity()),
                request -> request.setWait(Duration.newBuilder().setNanos(10_000_000)));

        assertThat(run.getState()).isEqualTo(Run.State.STATE_QUEUED);
    }

    @Test
    void takesARepeatedSubmissionForTheSame() {
        RunSpec spec = handler("nobody", UnaryOperator.identity());
        Run first = RUNS.submit(spec, request -> request.setRequestId("same"));

        assertThat(RUNS.submit(spec, request -> request.setRequestId("same")).getId())
                .isEqualTo(first.getId());
        StatusRuntimeException reused = failure(
                () -> RUNS.submit(handler("other", UnaryOperator.identity()), request -> request.setRequestId("same")));
        assertThat(code(reused)).isEqualTo(Status.Code.ALREADY_EXISTS);
        assertThat(reason(reused)).isEqualTo("REQUEST_ID_REUSED");
    }

    @Test
    void namesEveryFieldThatIsWrong() {
        StatusRuntimeException refused = failure(() -> SCHEDULER
                .runs()
                .submitRuns(SubmitRunsRequest.newBuilder()
                        .addSpecs(handler("good", UnaryOperator.identity()))
                        .addSpecs(handler("bad", spec -> spec.setInput(json("[1]"))))
                        .addSpecs(handler("bad", spec -> spec.setInput(json("{\"a\": nope}"))))
                        .addSpecs(handler(
                                "bad",
                                spec -> spec.setRetry(RetryPolicy.newBuilder().setMaxRetries(-1))))
                        .addSpecs(handler("bad", spec -> spec.setPriority(5_000)))
                        .addSpecs(RunSpec.getDefaultInstance())
                        .build()));

        assertThat(code(refused)).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(violatedFields(refused))
                .containsExactly("specs[1].input", "specs[2].input", "specs[3].retry", "specs[4]", "specs[5].target");
    }

    @Test
    void refusesInputsBeyondTheLimit() {
        String large = "{\"a\": \"" + "x".repeat(5 << 20) + "\"}";

        StatusRuntimeException refused =
                failure(() -> RUNS.submit(handler("nobody", spec -> spec.setInput(json(large)))));

        assertThat(violatedFields(refused)).containsExactly("spec.input");
        assertThat(refused).hasMessageContaining("at most 4194304");
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThat(reason(
                        failure(() -> RUNS.submit(target(RunTarget.newBuilder().setScriptPath("no.py"))))))
                .isEqualTo("SCRIPT_NOT_FOUND");
        assertThat(reason(
                        failure(() -> RUNS.submit(target(RunTarget.newBuilder().setFlowPath("no"))))))
                .isEqualTo("FLOW_NOT_FOUND");
        assertThat(reason(failure(() -> RUNS.get("01980000-0000-7000-8000-000000000000"))))
                .isEqualTo("RUN_NOT_FOUND");
        assertThat(violatedFields(failure(() -> RUNS.get("1")))).containsExactly("run_id");
        assertThat(reason(failure(
                        () -> RUNS.watch("01980000-0000-7000-8000-000000000000").forEachRemaining(event -> {}))))
                .isEqualTo("RUN_NOT_FOUND");
    }

    @Test
    void refusesTextsThatTheDatabaseHasNoPlaceFor() {
        List<ThrowingCallable> calls = List.of(
                () -> RUNS.submit(target(RunTarget.newBuilder().setScriptPath("a\0.py"))),
                () -> RUNS.submit(target(RunTarget.newBuilder().setFlowPath("a\0"))),
                () -> RUNS.submit(target(RunTarget.newBuilder().setScriptHash("\0"))),
                () -> RUNS.submit(target(RunTarget.newBuilder().setFlowHash("\0"))),
                () -> RUNS.submit(target(RunTarget.newBuilder().setHandler("a\0"))),
                () -> RUNS.submit(handler("h", spec -> spec.setTag("a\0"))),
                () -> RUNS.submit(handler("h", UnaryOperator.identity()), request -> request.setRequestId("a\0")),
                () -> SCHEDULER
                        .runs()
                        .listRuns(ListRunsRequest.newBuilder().setName("a\0").build()),
                () -> SCHEDULER
                        .scripts()
                        .getScript(GetScriptRequest.newBuilder().setPath("a\0").build()),
                () -> SCHEDULER
                        .scripts()
                        .getScript(GetScriptRequest.newBuilder().setHash("a\0").build()),
                () -> SCHEDULER
                        .flows()
                        .getFlow(GetFlowRequest.newBuilder().setPath("a\0").build()),
                () -> SCHEDULER
                        .flows()
                        .getFlow(GetFlowRequest.newBuilder().setHash("a\0").build()));
        for (int i = 0; i < calls.size(); i++) {
            StatusRuntimeException refused = failure(calls.get(i));
            assertThat(refused).as("call " + i).isNotNull();
            assertThat(code(refused)).as("call " + i + ": " + refused).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    @Test
    void listsTheRootJobAsTheStepOfARunWithoutAFlow() {
        Run run = RUNS.submit(handler("nobody", spec -> spec.setInput(json("{\"a\":1}"))));

        List<Step> steps = SCHEDULER
                .runs()
                .listSteps(ListStepsRequest.newBuilder()
                        .setRunId(run.getId())
                        .setIncludePayloads(true)
                        .build())
                .getStepsList();

        assertThat(steps).singleElement().satisfies(step -> {
            assertThat(step.getJobId()).isEqualTo(run.getId());
            assertThat(step.getState()).isEqualTo(Step.State.STATE_QUEUED);
            assertThat(step.getInput().toStringUtf8()).isEqualTo("{\"a\":1}");
        });
    }

    private static RunSpec target(RunTarget.Builder target) {
        return RunSpec.newBuilder().setTarget(target).build();
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
