package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.run.v1.Iteration;
import dev.millrace.proto.run.v1.ListIterationsRequest;
import dev.millrace.proto.run.v1.ListIterationsResponse;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.ListStepsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FoldedLoopsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);
    private static final String ITEMS =
            IntStream.range(0, 30).mapToObj(Integer::toString).collect(Collectors.joining(", ", "[", "]"));

    @BeforeAll
    static void deploy() {
        FLOWS.deploy("""
                millrace: v1
                name: loops
                steps:
                  - {id: few, for_each: [1, 2], steps: [{id: v, value: "${{ item }}"}]}
                  - id: many
                    for_each: %1$s
                    steps:
                      - {id: first, value: "${{ item }}"}
                      - {id: inner, for_each: %1$s, steps: [{id: v, value: "${{ item }}"}]}
                """.formatted(ITEMS));
        FLOWS.deploy("""
                millrace: v1
                name: waits
                steps:
                  - {id: each, for_each: %s, parallelism: 30, steps: [{id: w, wait: {signal: never}}]}
                """.formatted(ITEMS));
    }

    @Test
    void leavesOutTheStepsOfLargeLoopsAndPagesTheirIterations() {
        Run run = FLOWS.run("loops");

        Map<String, Step> steps = steps(run, request -> request.setFoldLoops(true));
        assertThat(steps.keySet()).containsExactlyInAnyOrder("few", "few[0].v", "few[1].v", "many");
        assertThat(Objects.requireNonNull(steps.get("few")).hasIterations()).isFalse();
        assertThat(Objects.requireNonNull(steps.get("many")).getIterations().getSucceeded())
                .isEqualTo(30);
        assertThat(Objects.requireNonNull(steps.get("many")).getIterations().getTotal())
                .isEqualTo(30);

        ListIterationsResponse page =
                iterations(run, "many", request -> request.setFromNumber(4).setPageSize(7));
        assertThat(page.getIterationsList())
                .extracting(Iteration::getKey)
                .containsExactly("many[4]", "many[5]", "many[6]", "many[7]", "many[8]", "many[9]", "many[10]");
        assertThat(page.getIterationsList()).allSatisfy(iteration -> {
            assertThat(iteration.getState()).isEqualTo(Step.State.STATE_SUCCEEDED);
            assertThat(iteration.getEndTime().getSeconds()).isPositive();
        });
        assertThat(iterations(run, "many", request -> request.setFromNumber(4).setPageToken(page.getNextPageToken()))
                        .getIterationsList())
                .extracting(Iteration::getNumber)
                .containsExactlyElementsOf(IntStream.range(11, 30).boxed().toList());
        assertThat(iterations(run, "many", request -> request.addStates(Step.State.STATE_FAILED))
                        .getIterationsList())
                .isEmpty();
    }

    @Test
    void opensAnIterationByItsKey() {
        Run run = FLOWS.run("loops");

        Map<String, Step> steps =
                steps(run, request -> request.setIteration("many[25]").setPageSize(1));

        assertThat(steps.keySet()).containsExactlyInAnyOrder("many[25].first", "many[25].inner");
        assertThat(Objects.requireNonNull(steps.get("many[25].inner"))
                        .getIterations()
                        .getSucceeded())
                .isEqualTo(30);
        assertThat(iterations(run, "many[25].inner", request -> request.setFromNumber(28))
                        .getIterationsList())
                .extracting(Iteration::getKey)
                .containsExactly("many[25].inner[28]", "many[25].inner[29]");
        assertThat(steps(run, request -> request.setIteration("many[2]"))).hasSize(2);
    }

    @Test
    void sendsALoopInsteadOfItsStepsToFollowers() {
        Run run = FLOWS.submit("waits");
        Iterator<WatchRunResponse> events = SCHEDULER
                .runs()
                .watchRun(WatchRunRequest.newBuilder()
                        .setRunId(run.getId())
                        .setFoldLoops(true)
                        .build());
        List<Step> seen = new ArrayList<>();
        while (seen.isEmpty() || seen.getLast().getIterations().getRunning() < 30) {
            WatchRunResponse event = events.next();
            if (event.hasStep()) {
                seen.add(event.getStep());
            }
        }

        assertThat(seen).extracting(Step::getKey).doesNotContain("each[20].w", "each[29].w");
        assertThat(iterations(
                                run,
                                "each",
                                request -> request.addStates(Step.State.STATE_RUNNING)
                                        .setFromNumber(29))
                        .getIterationsList())
                .extracting(Iteration::getKey)
                .containsExactly("each[29]");
        assertThat(steps(run, request -> request.setIteration("each[29]")).keySet())
                .containsExactly("each[29].w");
    }

    @Test
    void refusesWhatIsNoLoop() {
        Run run = FLOWS.run("loops");

        assertThat(violatedFields(failure(run, request -> request.setLoop("").setFromNumber(-1))))
                .containsExactly("loop", "from_number");
        assertThat(violatedFields(
                        failure(run, request -> request.setLoop("many").addStates(Step.State.STATE_UNSPECIFIED))))
                .containsExactly("states");
        assertThat(violatedFields(
                        failure(run, request -> request.setLoop("many").setPageToken("bm8"))))
                .containsExactly("page_token");
        assertThat(iterations(run, "nothing", UnaryOperator.identity()).getIterationsList())
                .isEmpty();
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class, () -> steps(run, request -> request.setIteration("many")));
        assertThat(violatedFields(refused)).containsExactly("iteration");
    }

    private static StatusRuntimeException failure(Run run, UnaryOperator<ListIterationsRequest.Builder> query) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> iterations(run, "", query));
    }

    private static ListIterationsResponse iterations(
            Run run, String loop, UnaryOperator<ListIterationsRequest.Builder> query) {
        return SCHEDULER
                .runs()
                .listIterations(query.apply(ListIterationsRequest.newBuilder()
                                .setRunId(run.getId())
                                .setLoop(loop))
                        .build());
    }

    private static Map<String, Step> steps(Run run, UnaryOperator<ListStepsRequest.Builder> query) {
        Map<String, Step> steps = new HashMap<>();
        String token = "";
        do {
            ListStepsResponse page = SCHEDULER
                    .runs()
                    .listSteps(query.apply(ListStepsRequest.newBuilder().setRunId(run.getId()))
                            .setPageToken(token)
                            .build());
            page.getStepsList().forEach(step -> steps.put(step.getKey(), step));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return steps;
    }
}
