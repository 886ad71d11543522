package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunResponse;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of a flow's options for callers: early returns, and merging submissions that come close together. */
class CallersTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);
    private static final Duration WAIT = Duration.newBuilder().setSeconds(20).build();

    @Test
    void returnsTheResultOfAStepWhileTheRunGoesOn() throws InterruptedException {
        deploy("early", """
                steps: [{id: first, handler: early}, {id: second, handler: early}]
                early_return: first
                """);
        try (HandlerWorker worker = worker("early")) {
            CompletableFuture<SubmitRunResponse> waiting =
                    CompletableFuture.supplyAsync(() -> submit("early", "{}", request -> request.setWait(WAIT)));

            worker.succeed(worker.take(), "{\"answer\":42}");

            SubmitRunResponse answer = waiting.join();
            assertThat(answer.getEarlyReturn().getStep()).isEqualTo("first");
            assertThat(answer.getEarlyReturn().getResult().toStringUtf8()).isEqualTo("{\"answer\":42}");
            assertThat(answer.getRun().getState()).isEqualTo(Run.State.STATE_RUNNING);
            worker.succeed(worker.take(), "\"end\"");
            assertThat(FLOWS.end(answer.getRun().getId()).getOutput().toStringUtf8())
                    .isEqualTo("\"end\"");
        }
    }

    @Test
    void waitsForTheEndWhereTheStepToReturnFails() throws InterruptedException {
        deploy("early-failure", """
                open_inputs: true
                steps: [{id: first, handler: early-failure}, {id: second, value: "${{ inputs.missing.part }}"}]
                early_return: second
                """);
        try (HandlerWorker worker = worker("early-failure")) {
            CompletableFuture<SubmitRunResponse> waiting = CompletableFuture.supplyAsync(
                    () -> submit("early-failure", "{}", request -> request.setWait(WAIT)));

            worker.succeed(worker.take(), "1");

            SubmitRunResponse answer = waiting.join();
            assertThat(answer.hasEarlyReturn()).isFalse();
            assertThat(answer.getRun().getState()).isEqualTo(Run.State.STATE_FAILED);
        }
    }

    @Test
    void runsTheLastOfTheSubmissionsThatComeCloseTogether() throws InterruptedException {
        deploy("merged", """
                open_inputs: true
                steps: [{id: a, handler: merged, input: {given: "${{ inputs.n }}"}}]
                debounce: {delay: 700ms, key: "${{ inputs.k }}"}
                """);
        try (HandlerWorker worker = worker("merged")) {
            Run first = run("merged", "{\"k\":\"x\",\"n\":1}");
            Run other = run("merged", "{\"k\":\"y\",\"n\":9}");
            Run second = run("merged", "{\"k\":\"x\",\"n\":2}");
            assertThat(FLOWS.get(first.getId()).getWaitReason()).contains("for further submissions");
            Run last = run("merged", "{\"k\":\"x\",\"n\":3}");

            assertThat(second.getId()).isEqualTo(first.getId());
            assertThat(last.getId()).isEqualTo(first.getId());
            assertThat(other.getId()).isNotEqualTo(first.getId());
            for (int i = 0; i < 2; i++) {
                Lease lease = worker.take();
                String expected = lease.getRunId().equals(first.getId()) ? "{\"given\":3}" : "{\"given\":9}";
                assertThat(lease.getInput().toStringUtf8()).isEqualTo(expected);
                worker.succeed(lease, "1");
            }
            assertThat(FLOWS.end(first.getId()).getInput().toStringUtf8()).isEqualTo("{\"k\":\"x\",\"n\":3}");
            FLOWS.end(other.getId());
            assertThat(run("merged", "{\"k\":\"x\",\"n\":4}").getId()).isNotEqualTo(first.getId());
        }
    }

    @Test
    void acceptsSubmissionsOfTheSameKeyAtTheSameInstant() {
        deploy("at-once", """
                open_inputs: true
                steps: [{id: a, value: 1}]
                debounce: {delay: 1h, key: "${{ inputs.k }}"}
                """);
        for (int round = 0; round < 10; round++) {
            String input = "{\"k\":\"" + round + "\"}";
            String request = "at-once-" + round;
            List<CompletableFuture<Run>> answers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                boolean isRepeated = i % 2 == 0;
                answers.add(CompletableFuture.supplyAsync(
                        () -> submit("at-once", input, spec -> isRepeated ? spec.setRequestId(request) : spec)
                                .getRun(),
                        Thread::startVirtualThread));
            }
            assertThat(answers.stream().map(answer -> answer.join().getId()).distinct())
                    .hasSize(1);
        }
    }

    @Test
    void standsInTheLineThatTheLastSubmissionAsksFor() throws InterruptedException {
        deploy("in-line", """
                open_inputs: true
                steps: [{id: a, handler: in-line, input: {given: "${{ inputs.n }}"}}]
                debounce: {delay: 50ms, key: "${{ inputs.k }}"}
                concurrency: {max: 1, key: "${{ inputs.shop }}"}
                """);
        try (HandlerWorker worker = worker("in-line")) {
            Run first = run("in-line", "{\"k\":\"x\",\"shop\":\"A\",\"n\":1}");
            Lease ofFirst = worker.take();
            Run second = run("in-line", "{\"k\":\"y\",\"shop\":\"A\",\"n\":2}");
            awaitWaiting(second.getId(), "concurrency key \"A\"");

            Run again = run("in-line", "{\"k\":\"y\",\"shop\":\"B\",\"n\":3}");
            Lease ofSecond = worker.take();

            assertThat(again.getId()).isEqualTo(second.getId());
            assertThat(ofSecond.getInput().toStringUtf8()).isEqualTo("{\"given\":3}");
            worker.succeed(ofFirst, "1");
            worker.succeed(ofSecond, "1");
            FLOWS.end(first.getId());
            FLOWS.end(second.getId());
        }
    }

    @Test
    void gathersTheArraysOfTheSubmissionsThatComeCloseTogether() throws Exception {
        deploy("gathered", """
                inputs: {who: {}, rows: {type: array, required: false}}
                steps: [{id: a, handler: gathered, input: {who: "${{ inputs.who }}", rows: "${{ inputs.rows }}"}}]
                debounce: {delay: 1s, key: same, accumulate: [rows]}
                """);
        try (HandlerWorker worker = worker("gathered")) {
            Run first = run("gathered", "{\"who\":\"a\",\"rows\":[1.10,{\"n\":12345678901234567890}]}");
            run("gathered", "{\"who\":\"b\"}");
            List<CompletableFuture<Run>> many = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                many.add(CompletableFuture.supplyAsync(() -> run("gathered", "{\"who\":\"c\",\"rows\":[7]}")));
            }
            for (CompletableFuture<Run> merged : many) {
                assertThat(merged.get().getId()).isEqualTo(first.getId());
            }

            Lease lease = worker.take();

            assertThat(lease.getInput().toStringUtf8())
                    .isEqualTo("{\"who\":\"c\",\"rows\":[1.10,{\"n\":12345678901234567890}" + ",7".repeat(20) + "]}");
            worker.succeed(lease, "1");
        }
    }

    @Test
    void refusesWhatCannotBeGathered() {
        deploy("ungathered", """
                open_inputs: true
                steps: [{id: a, handler: nobody}]
                debounce: {delay: 1h, accumulate: [rows]}
                """);

        StatusRuntimeException wrong = failure(() -> run("ungathered", "{\"rows\":1}"));

        assertThat(violatedFields(wrong)).containsExactly("spec.input.rows");
    }

    @Test
    void countsARepeatedSubmissionOnceAmongThoseThatAreMerged() {
        deploy("repeated", """
                open_inputs: true
                steps: [{id: a, handler: nobody}]
                debounce: {delay: 1h}
                """);

        Run first = submit("repeated", "{\"n\":1}", request -> request.setRequestId("once"))
                .getRun();
        Run second = run("repeated", "{\"n\":2}");
        Run again = submit("repeated", "{\"n\":1}", request -> request.setRequestId("once"))
                .getRun();
        StatusRuntimeException reused =
                failure(() -> submit("repeated", "{\"n\":3}", request -> request.setRequestId("once")));

        assertThat(second.getId()).isEqualTo(first.getId());
        assertThat(again.getId()).isEqualTo(first.getId());
        assertThat(FLOWS.get(first.getId()).getInput().toStringUtf8()).isEqualTo("{\"n\":2}");
        assertThat(reason(reused)).isEqualTo("REQUEST_ID_REUSED");
    }

    @Test
    void beginsAtLastHoweverManySubmissionsFollow() throws InterruptedException {
        deploy("bounded", """
                open_inputs: true
                steps: [{id: a, handler: bounded}]
                debounce: {delay: 1h, max_delay: 1ms}
                """);
        try (HandlerWorker worker = worker("bounded")) {
            Run first = run("bounded", "{}");
            Run second = run("bounded", "{}");

            assertThat(second.getId()).isEqualTo(first.getId());
            worker.succeed(worker.take(), "1");
            FLOWS.end(first.getId());
        }
    }

    @Test
    void mergesByKeysThatAreComputed() {
        deploy("computed-key", """
                open_inputs: true
                steps: [{id: a, handler: nobody}]
                debounce: {delay: 1h, key: "${{ inputs.k + 1 }}"}
                """);

        Run first = run("computed-key", "{\"k\":1,\"n\":1}");
        Run other = run("computed-key", "{\"k\":2}");
        Run second = run("computed-key", "{\"k\":1,\"n\":2}");

        assertThat(second.getId()).isEqualTo(first.getId()).isNotEqualTo(other.getId());
    }

    @Test
    void acceptsARunWhoseKeyCannotBeComputedAndFailsIt() {
        deploy("endless-key", """
                open_inputs: true
                steps: [{id: a, handler: nobody}]
                debounce: {delay: 1h, key: "${{ (() => { for (;;); })() }}"}
                """);

        Run accepted = run("endless-key", "{\"n\":1}");

        assertThat(accepted.getState()).isEqualTo(Run.State.STATE_QUEUED);
        Run ended = FLOWS.end(accepted.getId());
        assertThat(ended.getState()).isEqualTo(Run.State.STATE_FAILED);
        assertThat(ended.getError().getName()).isEqualTo("ExpressionLimit");
        assertThat(ended.getError().getMessage()).contains("debounce key");
        assertThat(ended.getInput().toStringUtf8()).as("for a retry").isEqualTo("{\"n\":1}");
    }

    @Test
    void refusesToMergeWhatCannotBeMerged() {
        deploy("picky", """
                steps: [{id: a, handler: nobody}]
                open_inputs: true
                debounce: {delay: 1h, key: "${{ inputs.k }}"}
                """);
        RunSpec spec = spec("picky", "{\"k\":1}");

        assertThat(violatedFields(failure(() -> SCHEDULER
                        .runs()
                        .submitRuns(SubmitRunsRequest.newBuilder()
                                .addSpecs(spec)
                                .addSpecs(spec)
                                .build()))))
                .containsExactly("specs");
        assertThat(violatedFields(failure(() -> submit(
                        "picky",
                        "{\"k\":1}",
                        request -> request.setSpec(spec.toBuilder()
                                .setRunAfter(Timestamp.newBuilder().setSeconds(4_000_000_000L)))))))
                .containsExactly("spec.run_after");
        assertThat(violatedFields(failure(() -> run("picky", "{}")))).containsExactly("spec.input");
    }

    private static void deploy(String path, String rest) {
        FLOWS.deploy("millrace: v1\nname: " + path + "\n" + rest);
    }

    private static HandlerWorker worker(String handler) {
        return new HandlerWorker(SCHEDULER.channel(), "handler:" + handler);
    }

    private static RunSpec spec(String flow, String input) {
        return RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowPath(flow))
                .setInput(ByteString.copyFromUtf8(input))
                .build();
    }

    private static SubmitRunResponse submit(
            String flow, String input, UnaryOperator<SubmitRunRequest.Builder> options) {
        return SCHEDULER
                .runs()
                .submitRun(options.apply(SubmitRunRequest.newBuilder().setSpec(spec(flow, input)))
                        .build());
    }

    private static Run run(String flow, String input) {
        return submit(flow, input, request -> request).getRun();
    }

    private static void awaitWaiting(String id, String reason) {
        long end = System.nanoTime() + java.time.Duration.ofSeconds(60).toNanos();
        Run run = FLOWS.get(id);
        while (!run.getWaitReason().contains(reason) && System.nanoTime() < end) {
            run = FLOWS.get(id);
        }
        assertThat(run.getWaitReason()).contains(reason);
    }

    private static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
