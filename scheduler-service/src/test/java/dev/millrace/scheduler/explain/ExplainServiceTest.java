package dev.millrace.scheduler.explain;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import dev.millrace.proto.explain.v1.ExplainRunRequest;
import dev.millrace.proto.explain.v1.ExplainRunResponse;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.explain.v1.Explanation;
import dev.millrace.proto.explain.v1.Explanation.Cause;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.PauseRunRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ExplainServiceTest {
    private static RunningScheduler scheduler;

    @BeforeAll
    static void startScheduler() {
        scheduler = new RunningScheduler();
    }

    @AfterAll
    static void stopScheduler() {
        scheduler.close();
    }

    @Test
    void saysWhatEachStepDoesOrWaitsFor() throws InterruptedException {
        try (HandlerWorker worker = new HandlerWorker(scheduler.channel(), "handler:there")) {
            String run = submit("""
                    - {id: runs, handler: there}
                    - {id: nobody, needs: [], handler: nowhere}
                    - {id: later, needs: [], delay: 1h, handler: there}
                    - {id: ok, needs: [], wait: {approval: release, required: 2}}
                    """);
            Lease lease = worker.take();

            ExplainRunResponse explained = explain(run);

            assertThat(explained.getSummary()).isEqualTo("Steps of the run are running.");
            assertThat(explained.getStepsList())
                    .extracting(Explanation::getStep, Explanation::getCause)
                    .containsExactlyInAnyOrder(
                            tuple("runs", Cause.CAUSE_RUNNING),
                            tuple("nobody", Cause.CAUSE_NO_WORKER),
                            tuple("later", Cause.CAUSE_TIME),
                            tuple("ok", Cause.CAUSE_EVENTS));
            assertThat(text(explained, "runs")).isEqualTo("It runs on worker \"tester\".");
            assertThat(text(explained, "nobody")).contains("the tag \"handler:nowhere\"");
            assertThat(text(explained, "ok")).contains("\"release\": 0 of 2 received");
            worker.succeed(lease, "1");
        }
    }

    @Test
    void tellsWhyTheOnlyWorkerHasPaused() throws InterruptedException {
        List<SlotGroup> groups = List.of(
                HandlerWorker.group("well", "handler:well").setSlots(1).build(),
                HandlerWorker.group("broken", "handler:broken")
                        .setPauseReason("The disk is full.")
                        .build());
        try (HandlerWorker worker = new HandlerWorker(scheduler.channel(), groups)) {
            String run = submit("""
                    - {id: here, handler: well}
                    - {id: there, needs: [], handler: broken}
                    """);
            Lease lease = worker.take();

            assertThat(text(explain(run), "there"))
                    .isEqualTo(
                            "All connected workers that take jobs with the tag \"handler:broken\" have paused because"
                                    + " of a fault. \"tester\": The disk is full.");
            worker.succeed(lease, "1");
        }
    }

    @Test
    void namesWhatAStepThatHasNotBegunNeeds() {
        ExplainRunResponse explained = explain(submit("""
                - {id: a, handler: nowhere}
                - {id: b, needs: [], handler: nowhere}
                - {id: both, needs: [a, b], handler: nowhere}
                - {id: after, handler: nowhere}
                """));

        assertThat(explained.getStepsList())
                .extracting(Explanation::getStep, Explanation::getCause)
                .containsExactly(
                        tuple("a", Cause.CAUSE_NO_WORKER),
                        tuple("b", Cause.CAUSE_NO_WORKER),
                        tuple("both", Cause.CAUSE_NEEDS),
                        tuple("after", Cause.CAUSE_NEEDS));
        assertThat(text(explained, "both")).isEqualTo("It has not begun: it waits for the end of \"a\", \"b\".");
        assertThat(text(explained, "after")).isEqualTo("It has not begun: it waits for the end of \"both\".");
        assertThat(explained.getStepsLeftOut()).isZero();
    }

    @Test
    void saysWhichWorkerAStepKeepsTo() throws InterruptedException {
        try (HandlerWorker worker = new HandlerWorker(scheduler.channel(), "handler:kept")) {
            String run = submit("""
                    - id: box
                      same_worker: true
                      steps:
                        - {id: first, handler: kept}
                        - {id: second, needs: [], handler: kept}
                    """);
            Lease lease = worker.take();

            assertThat(text(explain(run), "box.second")).contains("the first step of its same_worker group");
            worker.succeed(lease, "1");
            worker.succeed(worker.take(), "2");
        }
    }

    @Test
    void saysThatAStepWaitsForItsLimit() throws InterruptedException {
        try (HandlerWorker worker = new HandlerWorker(scheduler.channel(), "handler:limited")) {
            String run = submit("""
                    - {id: all, for_each: [1, 2], parallelism: 2, handler: limited, limit: {max: 1, rate: {count: 5, per: 1h}}}
                    """);
            Lease lease = worker.take();

            assertThat(explain(run).getStepsList())
                    .filteredOn(step -> step.getCause() == Cause.CAUSE_LIMIT)
                    .singleElement()
                    .satisfies(step -> assertThat(step.getText())
                            .isEqualTo(
                                    "It waits for its limit \"limited\": 1 of 1 places are taken, and 1 of 5 jobs that may begin in 1h have"
                                            + " begun or are about to begin. It is the first in line."));
            worker.succeed(lease, "1");
            worker.succeed(worker.take(), "2");
        }
    }

    @Test
    void saysThatARunIsPausedOrHasEnded() {
        String run = submit("- {id: a, handler: nowhere}");
        scheduler
                .operations()
                .pauseRun(PauseRunRequest.newBuilder().setRunId(run).build());

        ExplainRunResponse paused = explain(run);
        scheduler
                .operations()
                .cancelRun(CancelRunRequest.newBuilder().setRunId(run).build());
        ExplainRunResponse ended = explain(run);

        assertThat(paused.getSummary()).startsWith("The run is paused");
        assertThat(paused.getStepsList())
                .singleElement()
                .satisfies(step -> assertThat(step.getCause()).isEqualTo(Cause.CAUSE_PAUSED));
        assertThat(ended.getSummary()).isEqualTo("The run has ended: canceled.");
        assertThat(ended.getStepsList()).isEmpty();
    }

    /** What is live in a run whose first decision evaluates an expression, and so follows its acceptance. */
    private ExplainRunResponse explainBegun(String run) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        ExplainRunResponse explained = explain(run);
        while ((explained.getStepsLeftOut() == 0 || !explained.getSummary().startsWith("No step"))
                && System.nanoTime() < end) {
            explained = explain(run);
        }
        return explained;
    }

    @Test
    void tellsTheOldestStepsAndCountsTheOthers() {
        ExplainRunResponse explained = explainBegun(submit("""
                - id: many
                  for_each: "${{ Array.from({length: 120}, (_, i) => i) }}"
                  parallelism: 120
                  handler: nowhere
                """));

        assertThat(explained.getSummary()).isEqualTo("No step of the run is running; the run waits.");
        assertThat(explained.getStepsList()).hasSize(100);
        assertThat(explained.getStepsLeftOut()).isEqualTo(20);
    }

    @Test
    void namesWhatHasNotBegunHoweverMuchIsLive() {
        ExplainRunResponse explained = explainBegun(submit("""
                - id: many
                  for_each: "${{ Array.from({length: 120}, (_, i) => i) }}"
                  parallelism: 120
                  handler: nowhere
                - {id: after, handler: nowhere}
                """));

        assertThat(text(explained, "after")).isEqualTo("It has not begun: it waits for the end of \"many\".");
        assertThat(explained.getStepsLeftOut()).isEqualTo(20);
    }

    @Test
    void knowsWhetherAStepThatMayBeginEarlyHasBegun() throws InterruptedException {
        try (HandlerWorker worker = new HandlerWorker(scheduler.channel(), "handler:early")) {
            String run = submit("""
                    - {id: slow, handler: nowhere}
                    - {id: quick, needs: [], handler: early}
                    - {id: either, needs: [slow, quick], begin_if: "${{ steps.quick?.result }}", value: 1}
                    - {id: last, needs: [slow, either], handler: nowhere}
                    """);
            Lease quick = worker.take();
            ExplainRunResponse before = explain(run);
            assertThat(text(before, "either"))
                    .isEqualTo(
                            "It has not begun: it waits for the end of \"slow\", \"quick\", or for its begin_if to be true.");
            assertThat(text(before, "last"))
                    .isEqualTo("It has not begun: it waits for the end of \"slow\", \"either\".");

            worker.succeed(quick, "true");

            ExplainRunResponse after = explain(run);
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (after.getStepsCount() > 2 && System.nanoTime() < end) {
                after = explain(run);
            }
            assertThat(after.getStepsList()).extracting(Explanation::getStep).containsExactly("slow", "last");
            assertThat(text(after, "last")).isEqualTo("It has not begun: it waits for the end of \"slow\".");
        }
    }

    @Test
    void knowsNoOtherRun() {
        assertThat(reason(catchThrowableOfType(
                        StatusRuntimeException.class, () -> explain("01900000-0000-7000-8000-000000000001"))))
                .isEqualTo("RUN_NOT_FOUND");
    }

    private static String submit(String steps) {
        String definition = "millrace: v1\nname: explained\nsteps:\n" + steps.indent(2);
        String hash = scheduler
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build())
                .getFlow()
                .getHash();
        return scheduler
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowHash(hash)))
                        .build())
                .getRun()
                .getId();
    }

    private static ExplainRunResponse explain(String run) {
        return ExplainServiceGrpc.newBlockingStub(scheduler.channel())
                .explainRun(ExplainRunRequest.newBuilder().setRunId(run).build());
    }

    private static String text(ExplainRunResponse explained, String step) {
        return explained.getStepsList().stream()
                .filter(told -> told.getStep().equals(step))
                .findFirst()
                .orElseThrow()
                .getText();
    }
}
