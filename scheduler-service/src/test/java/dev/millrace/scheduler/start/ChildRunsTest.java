package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.explain.v1.ExplainRunRequest;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.explain.v1.Explanation;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunOrigin;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.RunningScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests child runs in a running scheduler. */
class ChildRunsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);

    @Test
    void waitsForTheEndOfTheRunAndReturnsItsOutput() {
        FLOWS.deploy("""
                millrace: v1
                name: doubled
                inputs: {n: {type: integer}}
                steps: [{id: pause, wait: {for: 20ms}}, {id: a, value: "${{ inputs.n * 2 }}"}]
                """);
        FLOWS.deploy("""
                millrace: v1
                name: doubles
                steps:
                  - {id: all, for_each: [1, 2, 3], parallelism: 3, flow: "${{ 'doubled' }}", as: run, input: {n: "${{ item }}"}}
                """);

        Run parent = FLOWS.run("doubles");

        assertThat(parent.getOutput().toStringUtf8()).isEqualTo("[2,4,6]");
        Step second = FLOWS.step(parent, "all[1]");
        assertThat(second.getKind()).isEqualTo(Step.Kind.KIND_CHILD_RUN);
        Run child = FLOWS.end(second.getChildRunId());
        assertThat(child.getOutput().toStringUtf8()).isEqualTo("4");
        assertThat(child.getOrigin().getRunId()).isEqualTo(parent.getId());
        assertThat(child.getOrigin().getRelation()).isEqualTo(RunOrigin.Relation.RELATION_CHILD_RUN);
        assertThat(child.getOrigin().getStep()).isEqualTo("all[1]");
    }

    @Test
    void cancelsItsChildRunsAndShowsWhatItWaitsFor() {
        FLOWS.deploy("""
                millrace: v1
                name: sleeper
                steps: [{id: a, wait: {signal: never}}]
                """);
        FLOWS.deploy("""
                millrace: v1
                name: middle
                steps: [{id: call, flow: sleeper, as: run}]
                """);
        FLOWS.deploy("""
                millrace: v1
                name: top
                steps: [{id: call, flow: middle, as: run}]
                """);
        Run top = FLOWS.submit("top");
        String middle = FLOWS.step(top, "call").getChildRunId();
        assertThat(FLOWS.get(top.getId()).getState()).isEqualTo(Run.State.STATE_RUNNING);
        Explanation why = ExplainServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .explainRun(ExplainRunRequest.newBuilder().setRunId(top.getId()).build())
                .getSteps(0);
        assertThat(why.getCause()).isEqualTo(Explanation.Cause.CAUSE_CHILD_RUN);
        assertThat(why.getText())
                .startsWith("It waits for the end of run " + middle + " of the flow \"middle\", which ");

        SCHEDULER
                .operations()
                .cancelRun(CancelRunRequest.newBuilder().setRunId(top.getId()).build());

        Run canceled = FLOWS.end(middle);
        assertThat(canceled.getState()).isEqualTo(Run.State.STATE_CANCELED);
        assertThat(canceled.getError().getMessage()).contains("Step \"call\" of run " + top.getId());
    }

    @Test
    void endsAFlowThatRunsItselfForever() {
        FLOWS.deploy("""
                millrace: v1
                name: endless
                steps: [{id: again, flow: endless, as: run}]
                """);

        Run run = FLOWS.end(FLOWS.submit("endless"));

        assertThat(run.getError().getName()).isEqualTo("RunsTooDeep");
        assertThat(run.getError().getMessage())
                .startsWith("Step \"again\" failed: ".repeat(FlowLimits.CHILD_RUN_DEPTH_MAX + 1) + "More than ");
    }

    @Test
    void usesACachedOutput() {
        FLOWS.deploy("""
                millrace: v1
                name: kept
                cache: {ttl: 1h}
                steps: [{id: a, value: "${{ run.id }}"}]
                """);
        FLOWS.deploy("""
                millrace: v1
                name: keeps
                steps: [{id: first, flow: kept}, {id: second, flow: kept}]
                output: ${{ steps.first.result === steps.second.result }}
                """);

        Run parent = FLOWS.run("keeps");

        assertThat(parent.getOutput().toStringUtf8()).isEqualTo("true");
        assertThat(FLOWS.end(FLOWS.step(parent, "second").getChildRunId()).getFromCache())
                .isTrue();
    }
}
