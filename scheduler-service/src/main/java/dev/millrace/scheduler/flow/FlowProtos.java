package dev.millrace.scheduler.flow;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeclaredTrigger;
import dev.millrace.proto.flow.v1.Flow;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowScript;
import dev.millrace.proto.flow.v1.PlanFlowResponse;
import dev.millrace.proto.flow.v1.SubFlow;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Conversion of flows to protobuf messages. */
final class FlowProtos {
    private FlowProtos() {}

    /**
     * @param scripts version of each script by path
     * @param subFlows version of each flow that is a part of the flow, by path
     */
    static Flow withDefinition(
            StoredFlow flow, Map<String, JobTarget.Script> scripts, SortedMap<String, String> subFlows) {
        return builder(flow)
                .setDefinition(ByteString.copyFromUtf8(flow.definition()))
                .addAllScripts(scripts(scripts))
                .addAllSubFlows(subFlows.entrySet().stream()
                        .map(part -> SubFlow.newBuilder()
                                .setPath(part.getKey())
                                .setHash(part.getValue())
                                .build())
                        .toList())
                .build();
    }

    /** The version that would be deployed has no time yet. */
    static PlanFlowResponse plan(Workspace workspace, FlowPlan plan) {
        PlanFlowResponse.Builder planned = PlanFlowResponse.newBuilder()
                .setFlow(Flow.newBuilder()
                        .setHash(plan.hash())
                        .setPath(plan.path())
                        .setWorkspace(workspace.name())
                        .setDialect(plan.version().dialect())
                        .addAllScripts(scripts(plan.version().scripts())))
                .addAllWarnings(problems(plan.warnings()))
                .addAllTriggers(plan.triggers().stream().map(FlowProtos::change).toList());
        plan.current()
                .ifPresent(
                        current -> planned.setCurrent(withDefinition(current, plan.currentScripts(), new TreeMap<>())));
        return planned.build();
    }

    private static List<FlowScript> scripts(Map<String, JobTarget.Script> scripts) {
        return scripts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(script -> FlowScript.newBuilder()
                        .setPath(script.getKey())
                        .setHash(script.getValue().hash())
                        .build())
                .toList();
    }

    static Flow withoutDefinition(StoredFlow flow) {
        return builder(flow).build();
    }

    static FlowFile file(String path, String content) {
        return FlowFile.newBuilder()
                .setPath(path)
                .setContent(ByteString.copyFromUtf8(content))
                .build();
    }

    static List<dev.millrace.proto.flow.v1.FlowProblem> problems(List<FlowProblem> problems) {
        return problems.stream().map(FlowProtos::problem).toList();
    }

    private static dev.millrace.proto.flow.v1.FlowProblem problem(FlowProblem problem) {
        return dev.millrace.proto.flow.v1.FlowProblem.newBuilder()
                .setLine(problem.line())
                .setColumn(problem.column())
                .setPath(problem.path())
                .setMessage(problem.message())
                .setRemedy(problem.remedy())
                .build();
    }

    static DeclaredTrigger change(DeclaredChange change) {
        return DeclaredTrigger.newBuilder()
                .setKind(change.kind())
                .setPath(change.path())
                .setChange(
                        switch (change.change()) {
                            case CREATED -> DeclaredTrigger.Change.CHANGE_CREATED;
                            case UPDATED -> DeclaredTrigger.Change.CHANGE_UPDATED;
                            case DELETED -> DeclaredTrigger.Change.CHANGE_DELETED;
                        })
                .build();
    }

    private static Flow.Builder builder(StoredFlow flow) {
        return Flow.newBuilder()
                .setHash(flow.hash())
                .setPath(flow.path())
                .setWorkspace(flow.workspace().name())
                .setDialect(flow.dialect())
                .setCreateTime(TimeProtos.timestamp(flow.createdAt()));
    }
}
