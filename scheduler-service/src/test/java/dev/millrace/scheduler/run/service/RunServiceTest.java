package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
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

    @Test
    void returnsAnAcceptedRunAtOnce() {
        Run run = submit(handler("nobody", spec -> spec.setInput(json("{\"a\": 1}"))));

        assertThat(run.getState()).isEqualTo(Run.State.STATE_QUEUED);
        assertThat(get(run.getId()).toBuilder().clearCreateTime().build())
                .isEqualTo(run.toBuilder().clearCreateTime().build());
        assertThat(run.getName()).isEqualTo("nobody");
        assertThat(run.getInput().toStringUtf8()).isEqualTo("{\"a\": 1}");
    }

    @Test
    void waitsForTheEndOfARun() throws InterruptedException {
        try (HandlerWorker worker = worker("waited")) {
            CompletableFuture<Run> waiting = CompletableFuture.supplyAsync(() -> submit(
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
        try (HandlerWorker worker = worker("faulty")) {
            for (String result : results) {
                Run accepted = submit(handler("faulty", UnaryOperator.identity()));
                worker.succeed(worker.take(), result);
                SCHEDULER
                        .runs()
                        .watchRun(WatchRunRequest.newBuilder()
                                .setRunId(accepted.getId())
                                .build())
                        .forEachRemaining(_ -> {});
                Run run = get(accepted.getId());
                String shown = result.substring(0, Math.min(20, result.length()));
                if (run.getState() == Run.State.STATE_SUCCEEDED) {
                    assertThat(shown).isEqualTo("\"\\ud800\"");
                } else {
                    assertThat(run.getError().getName()).as(shown).isEqualTo("ResultError");
                }
            }
            Run deepest = submit(handler("faulty", UnaryOperator.identity()));
            worker.succeed(worker.take(), "[".repeat(500) + "]".repeat(500));
            SCHEDULER
                    .runs()
                    .watchRun(WatchRunRequest.newBuilder()
                            .setRunId(deepest.getId())
                            .build())
                    .forEachRemaining(_ -> {});
            assertThat(get(deepest.getId()).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        }
    }

    @Test
    void returnsTheRunAsItStandsWhereTheWaitIsOver() {
        Run run = submit(
                handler("nobody", UnaryOperator.identity()),
                request -> request.setWait(Duration.newBuilder().setNanos(10_000_000)));

        assertThat(run.getState()).isEqualTo(Run.State.STATE_QUEUED);
    }

    @Test
    void takesARepeatedSubmissionForTheSame() {
        RunSpec spec = handler("nobody", UnaryOperator.identity());
        Run first = submit(spec, request -> request.setRequestId("same"));

        assertThat(submit(spec, request -> request.setRequestId("same")).getId())
                .isEqualTo(first.getId());
        StatusRuntimeException reused = failure(
                () -> submit(handler("other", UnaryOperator.identity()), request -> request.setRequestId("same")));
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

        StatusRuntimeException refused = failure(() -> submit(handler("nobody", spec -> spec.setInput(json(large)))));

        assertThat(violatedFields(refused)).containsExactly("spec.input");
        assertThat(refused).hasMessageContaining("at most 4194304");
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThat(reason(failure(() -> submit(target(RunTarget.newBuilder().setScriptPath("no.py"))))))
                .isEqualTo("SCRIPT_NOT_FOUND");
        assertThat(reason(failure(() -> submit(target(RunTarget.newBuilder().setFlowPath("no"))))))
                .isEqualTo("FLOW_NOT_FOUND");
        assertThat(reason(failure(() -> get("01980000-0000-7000-8000-000000000000"))))
                .isEqualTo("RUN_NOT_FOUND");
        assertThat(violatedFields(failure(() -> get("1")))).containsExactly("run_id");
        assertThat(reason(failure(
                        () -> watch("01980000-0000-7000-8000-000000000000").forEachRemaining(event -> {}))))
                .isEqualTo("RUN_NOT_FOUND");
    }

    @Test
    void refusesTextsThatTheDatabaseHasNoPlaceFor() {
        List<ThrowingCallable> calls = List.of(
                () -> submit(target(RunTarget.newBuilder().setScriptPath("a\0.py"))),
                () -> submit(target(RunTarget.newBuilder().setFlowPath("a\0"))),
                () -> submit(target(RunTarget.newBuilder().setScriptHash("\0"))),
                () -> submit(target(RunTarget.newBuilder().setFlowHash("\0"))),
                () -> submit(target(RunTarget.newBuilder().setHandler("a\0"))),
                () -> submit(handler("h", spec -> spec.setTag("a\0"))),
                () -> submit(handler("h", UnaryOperator.identity()), request -> request.setRequestId("a\0")),
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
    void acceptsManyRunsAtOnce() {
        SubmitRunsRequest.Builder request = SubmitRunsRequest.newBuilder().setWorkspace("many");
        for (int count = 0; count < 1_000; count++) {
            request.addSpecs(handler("nobody", UnaryOperator.identity()));
        }

        List<String> accepted = SCHEDULER.runs().submitRuns(request.build()).getRunIdsList();

        assertThat(accepted).hasSize(1_000).doesNotHaveDuplicates();
        assertThat(listAll("many", 300)).containsExactlyInAnyOrderElementsOf(accepted);
    }

    @Test
    void listsRunsNewestFirstAndByState() throws InterruptedException {
        try (HandlerWorker worker = worker("listed")) {
            Run done = submit(handler("listed", UnaryOperator.identity()), request -> request.setWorkspace("list"));
            Iterator<WatchRunResponse> events = watch(done);
            worker.succeed(worker.take(), "1");
            events.forEachRemaining(event -> {});
            Run waiting = submit(handler("nobody", UnaryOperator.identity()), request -> request.setWorkspace("list"));

            assertThat(list("list")).extracting(Run::getId).containsExactly(waiting.getId(), done.getId());
            assertThat(list("list", Run.State.STATE_SUCCEEDED))
                    .extracting(Run::getId)
                    .containsExactly(done.getId());
            assertThat(list("list", Run.State.STATE_QUEUED))
                    .extracting(Run::getId)
                    .containsExactly(waiting.getId());
            assertThat(list("list", Run.State.STATE_RUNNING, Run.State.STATE_FAILED))
                    .isEmpty();
        }
    }

    @Test
    void findsRunsByNameAndTime() {
        Run first = submit(handler("one", UnaryOperator.identity()), request -> request.setWorkspace("search"));
        Run second = submit(handler("two", UnaryOperator.identity()), request -> request.setWorkspace("search"));
        Timestamp later = SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder()
                        .setRunId(second.getId())
                        .setWorkspace("search")
                        .build())
                .getRun()
                .getCreateTime();

        assertThat(search(request -> request.setName("one")))
                .extracting(Run::getId)
                .containsExactly(first.getId());
        assertThat(search(request -> request.setCreatedFrom(later)))
                .extracting(Run::getId)
                .containsExactly(second.getId());
        assertThat(search(request -> request.setCreatedBefore(later)))
                .extracting(Run::getId)
                .containsExactly(first.getId());
        assertThat(search(request -> request.setCreatedBefore(later).setName("two")))
                .isEmpty();
    }

    @Test
    void findsRunsByInputAndOutput() throws InterruptedException {
        try (HandlerWorker worker = worker("looked-into")) {
            Run run = submit(
                    handler("looked-into", spec -> spec.setInput(json("{\"id\": 42}"))),
                    request -> request.setWorkspace("look"));
            assertThat(search(request -> request.setWorkspace("look").addInput("id=42")))
                    .extracting(Run::getId)
                    .containsExactly(run.getId());
            assertThat(search(request ->
                            request.setWorkspace("look").addInput("id=42").addOutput("status=done")))
                    .isEmpty();
            Iterator<WatchRunResponse> events = watch(run);
            worker.succeed(worker.take(), "{\"status\": \"done\"}");
            events.forEachRemaining(event -> {});

            assertThat(search(request ->
                            request.setWorkspace("look").addInput("id=42").addOutput("status=done")))
                    .extracting(Run::getId)
                    .containsExactly(run.getId());
            assertThat(violatedFields(failure(() -> search(request -> request.addOutput("status")))))
                    .containsExactly("output[0]");
        }
    }

    @Test
    void streamsARunFromItsStateToItsEnd() throws InterruptedException {
        try (HandlerWorker worker = worker("watched")) {
            Run run = submit(handler("watched", UnaryOperator.identity()));
            Lease lease = worker.take();
            Iterator<WatchRunResponse> events = watch(run.getId());
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
        try (HandlerWorker worker = worker("printing")) {
            Run run = submit(handler("printing", UnaryOperator.identity()));
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
        try (HandlerWorker worker = worker("printing")) {
            Run run = submit(handler("printing", UnaryOperator.identity()));
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
    void listsTheRootJobAsTheStepOfARunWithoutAFlow() {
        Run run = submit(handler("nobody", spec -> spec.setInput(json("{\"a\":1}"))));

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

    private static HandlerWorker worker(String handler) {
        return new HandlerWorker(SCHEDULER.channel(), "handler:" + handler);
    }

    private static Run submit(RunSpec spec) {
        return submit(spec, UnaryOperator.identity());
    }

    private static Run submit(RunSpec spec, UnaryOperator<SubmitRunRequest.Builder> options) {
        return SCHEDULER
                .runs()
                .submitRun(options.apply(SubmitRunRequest.newBuilder().setSpec(spec))
                        .build())
                .getRun();
    }

    private static Run get(String id) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(id).build())
                .getRun();
    }

    private static Iterator<WatchRunResponse> watch(Run run) {
        return SCHEDULER
                .runs()
                .watchRun(WatchRunRequest.newBuilder()
                        .setRunId(run.getId())
                        .setWorkspace(run.getWorkspace())
                        .setIncludeLogs(true)
                        .build());
    }

    private static Iterator<WatchRunResponse> watch(String id) {
        return SCHEDULER
                .runs()
                .watchRun(WatchRunRequest.newBuilder()
                        .setRunId(id)
                        .setIncludeLogs(true)
                        .build());
    }

    private static List<Run> search(UnaryOperator<ListRunsRequest.Builder> options) {
        return SCHEDULER
                .runs()
                .listRuns(options.apply(ListRunsRequest.newBuilder().setWorkspace("search"))
                        .build())
                .getRunsList();
    }

    private static List<Run> list(String workspace, Run.State... states) {
        return SCHEDULER
                .runs()
                .listRuns(ListRunsRequest.newBuilder()
                        .setWorkspace(workspace)
                        .addAllStates(List.of(states))
                        .build())
                .getRunsList();
    }

    private static List<String> listAll(String workspace, int pageSize) {
        List<String> ids = new ArrayList<>();
        String token = "";
        do {
            ListRunsResponse page = SCHEDULER
                    .runs()
                    .listRuns(ListRunsRequest.newBuilder()
                            .setWorkspace(workspace)
                            .setPageSize(pageSize)
                            .setPageToken(token)
                            .build());
            page.getRunsList().forEach(run -> ids.add(run.getId()));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return ids;
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

    private static ByteString json(String text) {
        return ByteString.copyFromUtf8(text);
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
