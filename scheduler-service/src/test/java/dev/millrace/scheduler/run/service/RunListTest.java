package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.run.service.RunCalls.json;
import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunListTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER =
            new RunningScheduler().withWorkspaces("many", "list", "search", "look");

    private static final RunCalls RUNS = new RunCalls(SCHEDULER);

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
    void tellsWhenARunBeganOfWhichNoStepHasEnded() throws InterruptedException {
        String path = "listed/under-way";
        SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath(path)
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("{millrace: v1, name: " + path
                                + ", steps: [{id: a, handler: listed-step}, {id: b, wait: {signal: go}}]}"))
                        .build());
        try (HandlerWorker worker = RUNS.worker("listed-step")) {
            Run run = RUNS.submit(
                    RunSpec.newBuilder()
                            .setTarget(RunTarget.newBuilder().setFlowPath(path))
                            .build(),
                    UnaryOperator.identity());
            Iterator<WatchRunResponse> events = RUNS.watch(run);
            worker.started(worker.take());
            WatchRunResponse event = events.next();
            while (!event.getStep().hasStartTime()) {
                event = events.next();
            }

            Run listed = SCHEDULER
                    .runs()
                    .listRuns(ListRunsRequest.newBuilder().setName(path).build())
                    .getRuns(0);

            assertThat(listed.getState()).isEqualTo(Run.State.STATE_RUNNING);
            assertThat(listed.getStartTime()).isEqualTo(event.getStep().getStartTime());
        }
    }

    @Test
    void listsRunsNewestFirstAndByState() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("listed")) {
            Run done =
                    RUNS.submit(handler("listed", UnaryOperator.identity()), request -> request.setWorkspace("list"));
            Iterator<WatchRunResponse> events = RUNS.watch(done);
            worker.succeed(worker.take(), "1");
            events.forEachRemaining(event -> {});
            Run waiting =
                    RUNS.submit(handler("nobody", UnaryOperator.identity()), request -> request.setWorkspace("list"));

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
        Run first = RUNS.submit(handler("one", UnaryOperator.identity()), request -> request.setWorkspace("search"));
        Run second = RUNS.submit(handler("two", UnaryOperator.identity()), request -> request.setWorkspace("search"));
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
        try (HandlerWorker worker = RUNS.worker("looked-into")) {
            Run run = RUNS.submit(
                    handler("looked-into", spec -> spec.setInput(json("{\"id\": 42}"))),
                    request -> request.setWorkspace("look"));
            assertThat(search(request -> request.setWorkspace("look").addInput("id=42")))
                    .extracting(Run::getId)
                    .containsExactly(run.getId());
            assertThat(search(request ->
                            request.setWorkspace("look").addInput("id=42").addOutput("status=done")))
                    .isEmpty();
            Iterator<WatchRunResponse> events = RUNS.watch(run);
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

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
