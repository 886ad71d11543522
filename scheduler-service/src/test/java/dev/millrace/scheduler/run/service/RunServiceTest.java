package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.run.service.RunCalls.failure;
import static dev.millrace.scheduler.run.service.RunCalls.json;
import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import dev.millrace.proto.common.v1.RetryPolicy;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.log.v1.TailLogsRequest;
import dev.millrace.proto.log.v1.TailLogsResponse;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Iterator;
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
        JobSpec spec = handler("nobody", UnaryOperator.identity());
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
                        failure(() -> RUNS.submit(target(JobTarget.newBuilder().setScriptPath("no.py"))))))
                .isEqualTo("SCRIPT_NOT_FOUND");
        assertThat(reason(
                        failure(() -> RUNS.submit(target(JobTarget.newBuilder().setFlowPath("no"))))))
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
                () -> RUNS.submit(target(JobTarget.newBuilder().setScriptPath("a\0.py"))),
                () -> RUNS.submit(target(JobTarget.newBuilder().setFlowPath("a\0"))),
                () -> RUNS.submit(target(JobTarget.newBuilder().setScriptHash("\0"))),
                () -> RUNS.submit(target(JobTarget.newBuilder().setFlowHash("\0"))),
                () -> RUNS.submit(target(JobTarget.newBuilder().setHandler("a\0"))),
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
    void streamsARunFromItsStateToItsEnd() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("watched")) {
            Run run = RUNS.submit(handler("watched", UnaryOperator.identity()));
            Lease lease = worker.take();
            Iterator<WatchRunResponse> events = RUNS.watch(run.getId());
            List<WatchRunResponse> seen = new ArrayList<>();
            seen.add(events.next());
            worker.started(lease);
            worker.print(lease, 0, "hello\n");
            do {
                seen.add(events.next());
            } while (!seen.getLast().hasLog());
            worker.succeed(lease, "\"done\"");
            events.forEachRemaining(seen::add);

            assertThat(seen.getFirst().hasRun()).isTrue();
            assertThat(seen.getLast().getRun().getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
            assertThat(seen.getLast().getRun().getOutput().toStringUtf8()).isEqualTo("\"done\"");
            assertThat(seen.stream()
                            .filter(WatchRunResponse::hasLog)
                            .map(event -> event.getLog().getText()))
                    .containsExactly("hello\n");
            assertThat(seen.stream().filter(WatchRunResponse::hasStep).map(WatchRunResponse::getStep))
                    .extracting(Step::getState)
                    .containsSubsequence(Step.State.STATE_RUNNING, Step.State.STATE_SUCCEEDED);
            assertThat(seen.stream().filter(WatchRunResponse::hasStep).map(WatchRunResponse::getStep))
                    .allSatisfy(step -> assertThat(step.getWorker()).isEqualTo("tester"))
                    .anySatisfy(step -> assertThat(step.hasStartTime()).isTrue());
        }
    }

    @Test
    void keepsLogsInOrderForReadersAndFollowers() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("printing")) {
            Run run = RUNS.submit(handler("printing", UnaryOperator.identity()));
            Lease lease = worker.take();
            Iterator<TailLogsResponse> tail = SCHEDULER
                    .logs()
                    .tailLogs(TailLogsRequest.newBuilder().setRunId(run.getId()).build());
            List<String> followed = new ArrayList<>();
            for (int line = 0; line < 5; line++) {
                worker.print(lease, line, "line " + line);
            }
            followed.add(tail.next().getChunk().getText());
            worker.succeed(lease, "1");
            tail.forEachRemaining(chunk -> followed.add(chunk.getChunk().getText()));

            assertThat(followed).containsExactly("line 0", "line 1", "line 2", "line 3", "line 4");
            assertThat(pagesOfLogs(run.getId(), 2)).containsExactlyElementsOf(followed);
        }
    }

    @Test
    void goesOnWithLogsBehindTheLastChunkOfAFollower() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("printing")) {
            Run run = RUNS.submit(handler("printing", UnaryOperator.identity()));
            Lease lease = worker.take();
            for (int line = 0; line < 4; line++) {
                worker.print(lease, line, "line " + line);
            }
            worker.succeed(lease, "1");
            List<LogChunk> all = new ArrayList<>();
            SCHEDULER
                    .logs()
                    .tailLogs(TailLogsRequest.newBuilder().setRunId(run.getId()).build())
                    .forEachRemaining(answer -> all.add(answer.getChunk()));
            long had = all.get(1).getPosition();

            List<String> tailed = new ArrayList<>();
            SCHEDULER
                    .logs()
                    .tailLogs(TailLogsRequest.newBuilder()
                            .setRunId(run.getId())
                            .setAfterPosition(had)
                            .build())
                    .forEachRemaining(answer -> tailed.add(answer.getChunk().getText()));
            List<String> watched = new ArrayList<>();
            SCHEDULER
                    .runs()
                    .watchRun(WatchRunRequest.newBuilder()
                            .setRunId(run.getId())
                            .setIncludeLogs(true)
                            .setLogsAfterPosition(had)
                            .build())
                    .forEachRemaining(event -> {
                        if (event.hasLog()) {
                            watched.add(event.getLog().getText());
                        }
                    });

            assertThat(tailed).containsExactly("line 2", "line 3");
            assertThat(watched).isEqualTo(tailed);
        }
    }

    @Test
    void cancelsARunOnce() {
        Run run = RUNS.submit(handler("nobody", UnaryOperator.identity()));
        CancelRunRequest request = CancelRunRequest.newBuilder()
                .setRunId(run.getId())
                .setReason("no longer needed")
                .build();

        Run canceled = SCHEDULER.runs().cancelRun(request).getRun();

        assertThat(canceled.getState()).isEqualTo(Run.State.STATE_CANCELED);
        assertThat(canceled.getError().getMessage()).contains("no longer needed");
        StatusRuntimeException again = failure(() -> SCHEDULER.runs().cancelRun(request));
        assertThat(code(again)).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(reason(again)).isEqualTo("RUN_ENDED");
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

    private static List<String> pagesOfLogs(String run, int pageSize) {
        List<String> texts = new ArrayList<>();
        String token = "";
        do {
            var page = SCHEDULER
                    .logs()
                    .listLogs(ListLogsRequest.newBuilder()
                            .setRunId(run)
                            .setPageSize(pageSize)
                            .setPageToken(token)
                            .build());
            page.getChunksList().forEach(chunk -> texts.add(chunk.getText()));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return texts;
    }

    private static RunSpec target(RunTarget.Builder target) {
        return RunSpec.newBuilder().setTarget(target).build();
    }
}
