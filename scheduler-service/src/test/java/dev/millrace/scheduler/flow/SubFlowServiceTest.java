package dev.millrace.scheduler.flow;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.Flow;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.flow.v1.SubFlow;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SubFlowServiceTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);

    @Test
    void keepsTheVersionsThatWereFixedAtDeployment() throws InterruptedException {
        String middle = "steps: [{id: down, flow: fixed/inner}]";
        String outer = "steps: [{id: call, flow: fixed/middle}]";
        deploy("fixed/inner", "steps: [{id: x, handler: old}]");
        deploy("fixed/middle", middle);
        Flow before = deploy("fixed/outer", outer);
        deploy("fixed/inner", "steps: [{id: x, handler: new}]");
        try (var worker = new HandlerWorker(SCHEDULER.channel(), "handler:old", "handler:new")) {
            Run fixed = FLOWS.submit("fixed/outer");
            Lease old = worker.take();
            assertThat(old.getHandler()).isEqualTo("old");
            assertThat(old.getStep()).isEqualTo("call.down.x");
            worker.succeed(old, "1");

            Flow after = deploy("fixed/outer", outer);
            Run later = FLOWS.submit("fixed/outer");
            Lease young = worker.take();
            assertThat(young.getHandler()).isEqualTo("new");
            worker.succeed(young, "2");

            assertThat(FLOWS.end(fixed).getOutput().toStringUtf8()).isEqualTo("1");
            assertThat(FLOWS.end(later).getOutput().toStringUtf8()).isEqualTo("2");
            assertThat(after.getHash()).isNotEqualTo(before.getHash());
            assertThat(deploy("fixed/outer", outer).getHash()).isEqualTo(after.getHash());
        }
    }

    @Test
    void runsLoopsWithinFlowsWithinLoops() throws InterruptedException {
        deploy("loops/square", """
                inputs: {n: {type: integer}, times: {type: integer, default: 2}}
                steps:
                  - id: rows
                    for_each: "${{ Array.from({length: inputs.times}, (_, i) => i) }}"
                    parallelism: 10
                    steps: [{id: cell, handler: cell, input: {n: "${{ inputs.n }}", row: "${{ item }}"}}]
                output: {n: "${{ inputs.n }}", rows: "${{ steps.rows.result }}"}
                """);
        deploy("loops/outer", """
                inputs: {numbers: {type: array}}
                steps:
                  - {id: all, for_each: "${{ inputs.numbers }}", parallelism: 10, flow: loops/square, input: {n: "${{ item }}"}}
                  - {id: first, value: "${{ steps.all.result[0].n }}"}
                output: {all: "${{ steps.all.result }}", first: "${{ steps.first.result }}"}
                """);
        try (var worker = new HandlerWorker(SCHEDULER.channel(), "handler:cell")) {
            Run run = FLOWS.submit("loops/outer", "{\"numbers\": [7, 8]}");
            List<Lease> leases = new ArrayList<>();
            for (int cell = 0; cell < 4; cell++) {
                leases.add(worker.take());
            }
            leases.sort(Comparator.comparing(Lease::getStep));
            assertThat(leases)
                    .extracting(Lease::getStep)
                    .containsExactly(
                            "all[0].all.rows[0].cell",
                            "all[0].all.rows[1].cell",
                            "all[1].all.rows[0].cell",
                            "all[1].all.rows[1].cell");
            assertThat(leases.getLast().getInput().toStringUtf8()).isEqualTo("{\"n\":8,\"row\":1}");
            for (int cell = 0; cell < 4; cell++) {
                worker.succeed(leases.get(cell), String.valueOf(cell));
            }
            assertThat(FLOWS.end(run).getOutput().toStringUtf8())
                    .isEqualTo("{\"all\":[{\"n\":7,\"rows\":[0,1]},{\"n\":8,\"rows\":[2,3]}],\"first\":7}");
            assertThat(FLOWS.step(run, "all[0].all").getKind()).isEqualTo(Step.Kind.KIND_SUB_FLOW);
        }
    }

    @Test
    void tellsTheVersionsOfTheFlowsInsideAFlow() {
        Flow inner = deploy("parts/inner", "steps: [{id: a, handler: cell}]\n");
        Flow outer = deploy("parts/outer", "steps: [{id: run, flow: parts/inner}]\n");
        Flow whole = deploy("parts/whole", "steps: [{id: all, flow: parts/outer}]\n");
        deploy("parts/inner", "steps: [{id: b, handler: cell}]\n");

        List<SubFlow> inside = SCHEDULER
                .flows()
                .getFlow(GetFlowRequest.newBuilder().setHash(whole.getHash()).build())
                .getFlow()
                .getSubFlowsList();

        assertThat(inside)
                .extracting(SubFlow::getPath, SubFlow::getHash)
                .containsExactly(tuple("parts/inner", inner.getHash()), tuple("parts/outer", outer.getHash()));
    }

    @Test
    void checksTheInputOfASubFlowAgainstItsSchema() {
        deploy("checked/inner", """
                input_schema: {properties: {n: {type: integer, maximum: 9}}}
                inputs: {n: {type: integer}, unit: {default: m}}
                steps: [{id: text, value: "${{ inputs.n + inputs.unit }}"}]
                """);
        deploy("checked/outer", """
                inputs: {n: {}}
                steps: [{id: call, flow: checked/inner, input: {n: "${{ inputs.n }}"}}]
                """);

        assertThat(FLOWS.end(FLOWS.submit("checked/outer", "{\"n\": 9}"))
                        .getOutput()
                        .toStringUtf8())
                .isEqualTo("\"9m\"");
        assertThat(FLOWS.end(FLOWS.submit("checked/outer", "{\"n\": \"9\"}"))
                        .getError()
                        .getMessage())
                .isEqualTo(
                        "Step \"call\" failed: The flow does not take this input. The input \"n\" is a string (expected: "
                                + "an integer).");
        assertThat(FLOWS.end(FLOWS.submit("checked/outer", "{\"n\": 10}"))
                        .getError()
                        .getMessage())
                .startsWith("Step \"call\" failed: The flow does not take this input. The input \"n\" does not fit the "
                        + "flow's input_schema: ");
    }

    @Test
    void runsScriptsInTheVersionsOfTheFlowThatNamesThem() throws InterruptedException {
        String steps = "steps: [{id: x, script: same.py, tag: scripts}]";
        deploy("scripts/inner", steps, "same.py", "def main(): return 'inner'");
        deploy("scripts/outer", """
                steps:
                  - {id: own, script: same.py, tag: scripts}
                  - {id: call, flow: scripts/inner}
                """, "same.py", "def main(): return 'outer'");
        deploy("scripts/inner", steps, "same.py", "def main(): return 'later'");
        try (var worker = new HandlerWorker(SCHEDULER.channel(), "scripts")) {
            Run run = FLOWS.submit("scripts/outer");
            Lease own = worker.take();
            worker.succeed(own, "1");
            Lease inner = worker.take();
            worker.succeed(inner, "2");

            assertThat(inner.getStep()).isEqualTo("call.x");
            assertThat(inner.getScriptHash()).isNotEqualTo(own.getScriptHash());
            assertThat(FLOWS.end(run).getOutput().toStringUtf8()).isEqualTo("2");
        }
    }

    @Test
    void refusesFlowsThatAreNotThereOrNeverEnd() {
        deploy("circle/a", "steps: [{id: x, value: 1}]");
        deploy("circle/b", "steps: [{id: x, flow: circle/a}]");

        StatusRuntimeException missing = failure(() -> deploy("circle/c", "steps:\n  - {id: x, flow: circle/none}"));
        assertThat(reason(missing)).isEqualTo("INVALID_FLOW");
        assertThat(violatedFields(missing)).containsExactly("steps[0].flow");
        assertThat(missing)
                .hasMessageContaining("flow.yaml:3:19: The flow \"circle/none\" is not deployed in workspace default. "
                        + "Correct its path, or deploy it first.");
        assertThat(failure(() -> deploy("circle/a", "steps:\n  - {id: x, flow: circle/b}")))
                .hasMessageContaining("flow.yaml:3:19: The flow \"circle/a\" would run itself: circle/a → circle/b → "
                        + "circle/a. Use a loop, or start one of the flows as a run of its own.");
    }

    private static Flow deploy(String path, String definition, String... file) {
        DeployFlowRequest.Builder request = DeployFlowRequest.newBuilder()
                .setPath(path)
                .setFileName("flow.yaml")
                .setDefinition(ByteString.copyFromUtf8("millrace: v1\n" + definition));
        if (file.length > 0) {
            request.addFiles(FlowFile.newBuilder().setPath(file[0]).setContent(ByteString.copyFromUtf8(file[1])));
        }
        return SCHEDULER.flows().deployFlow(request.build()).getFlow();
    }

    private static StatusRuntimeException failure(Runnable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call::run);
    }
}
