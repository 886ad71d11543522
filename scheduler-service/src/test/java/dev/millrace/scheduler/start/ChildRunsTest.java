package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.explain.v1.ExplainRunRequest;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.explain.v1.Explanation;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.job.v1.CancelRunRequest;
import dev.millrace.proto.job.v1.GetRunRequest;
import dev.millrace.proto.job.v1.JobSpec;
import dev.millrace.proto.job.v1.JobTarget;
import dev.millrace.proto.job.v1.ListStepsRequest;
import dev.millrace.proto.job.v1.Run;
import dev.millrace.proto.job.v1.Step;
import dev.millrace.proto.job.v1.SubmitRunRequest;
import dev.millrace.proto.job.v1.WatchRunRequest;
import dev.millrace.scheduler.flow.core.FlowLimits;
import dev.millrace.scheduler.testing.RunningScheduler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs for whose end steps wait, in a scheduler that does it by itself. */
class ChildRunsTest {
    private static RunningScheduler scheduler;

    @BeforeAll
    static void start() {
        scheduler = new RunningScheduler();
    }

    @AfterAll
    static void stop() {
        scheduler.close();
    }

    @Test
    void waitsForTheEndOfTheRunAndTakesItsOutput() {
        deploy("""
                millrace: v1
                name: doubled
                inputs: {n: {type: integer}}
                steps: [{id: pause, wait: {for: 20ms}}, {id: a, value: "${{ inputs.n * 2 }}"}]
                """);
        deploy("""
                millrace: v1
                name: doubles
                steps:
                  - {id: all, for_each: [1, 2, 3], parallelism: 3, flow: "${{ 'doubled' }}", as: run, input: {n: "${{ item }}"}}
                """);

        Run parent = submit("doubles", 20);

        assertThat(parent.getOutput().toStringUtf8()).isEqualTo("[2,4,6]");
        Step second = step(parent, "all[1]");
        assertThat(second.getKind()).isEqualTo(Step.Kind.KIND_CHILD_RUN);
        Run child = end(second.getChildRunId());
        assertThat(child.getOutput().toStringUtf8()).isEqualTo("4");
        assertThat(child.getOrigin().getRunId()).isEqualTo(parent.getId());
        assertThat(child.getOrigin().getRelation()).isEqualTo("child_run");
        assertThat(child.getOrigin().getStepKey()).isEqualTo("all[1]");
    }

    @Test
    void cancelsTheRunsBelowAndSaysMeanwhileWhatItWaitsFor() {
        deploy("""
                millrace: v1
                name: sleeper
                steps: [{id: a, wait: {signal: never}}]
                """);
        deploy("""
                millrace: v1
                name: middle
                steps: [{id: call, flow: sleeper, as: run}]
                """);
        deploy("""
                millrace: v1
                name: top
                steps: [{id: call, flow: middle, as: run}]
                """);
        Run top = submit("top", 0);
        String middle = step(top, "call").getChildRunId();
        Explanation why = ExplainServiceGrpc.newBlockingStub(scheduler.channel())
                .explainRun(ExplainRunRequest.newBuilder().setRunId(top.getId()).build())
                .getSteps(0);
        assertThat(why.getCause()).isEqualTo(Explanation.Cause.CAUSE_CHILD_RUN);
        assertThat(why.getText())
                .startsWith("It waits for the end of run " + middle + " of the flow \"middle\", which ");

        scheduler
                .runs()
                .cancelRun(CancelRunRequest.newBuilder().setRunId(top.getId()).build());

        Run canceled = end(middle);
        assertThat(canceled.getState()).isEqualTo(Run.State.STATE_CANCELED);
        assertThat(canceled.getError().getMessage()).contains("Step \"call\" of run " + top.getId());
    }

    @Test
    void endsAFlowThatRunsItselfForEver() {
        deploy("""
                millrace: v1
                name: endless
                steps: [{id: again, flow: endless, as: run}]
                """);

        Run run = submit("endless", 30);

        assertThat(run.getError().getName()).isEqualTo("RunsTooDeep");
        assertThat(run.getError().getMessage())
                .startsWith("Step \"again\" failed: ".repeat(FlowLimits.CHILD_RUN_DEPTH_MAX + 1) + "More than ");
    }

    @Test
    void takesAnOutputThatIsKept() {
        deploy("""
                millrace: v1
                name: kept
                cache: {ttl: 1h}
                steps: [{id: a, value: "${{ run.id }}"}]
                """);
        deploy("""
                millrace: v1
                name: keeps
                steps: [{id: first, flow: kept}, {id: second, flow: kept}]
                output: ${{ steps.first.result === steps.second.result }}
                """);

        Run parent = submit("keeps", 20);

        assertThat(parent.getOutput().toStringUtf8()).isEqualTo("true");
        assertThat(end(step(parent, "second").getChildRunId()).getFromCache()).isTrue();
    }

    private static void deploy(String definition) {
        scheduler
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build());
    }

    private static Run submit(String path, int waitSeconds) {
        return scheduler
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(JobSpec.newBuilder()
                                .setTarget(JobTarget.newBuilder().setFlowPath(path)))
                        .setWait(Duration.newBuilder().setSeconds(waitSeconds))
                        .build())
                .getRun();
    }

    private static Step step(Run run, String key) {
        return scheduler
                .runs()
                .listSteps(ListStepsRequest.newBuilder().setRunId(run.getId()).build())
                .getStepsList()
                .stream()
                .filter(step -> step.getKey().equals(key))
                .findFirst()
                .orElseThrow();
    }

    /** The run once it has ended. */
    private static Run end(String run) {
        scheduler
                .runs()
                .watchRun(WatchRunRequest.newBuilder().setRunId(run).build())
                .forEachRemaining(_ -> {});
        return scheduler
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun();
    }
}
