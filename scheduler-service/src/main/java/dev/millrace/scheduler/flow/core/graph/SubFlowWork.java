package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;
import java.util.List;
import java.util.function.BiConsumer;

/** Runs the steps of another flow as a part of this run. */
public record SubFlowWork(FlowDefinition flow, RunInput.Check inputs, Graph graph, Template input)
        implements Container {
    /** Compiles a deployed flow. A flow that can only run on its own becomes a child run. */
    static Work compile(StepAction.SubFlow sub, GraphBuilder list) {
        list.read(sub.input());
        if (list.subFlows().isRun(sub)) {
            return new ChildRunWork(new Template.Constant(JsonValue.ofString(sub.path())), sub.input(), sub.runIdAs());
        }
        SubFlowWork work = list.subFlows().resolve(sub, list.tasks(), list.nesting() + 1);
        list.check(work.inputs());
        return work;
    }

    static SubFlowWork compile(StepAction.InlineFlow sub, GraphBuilder list) {
        list.read(sub.input());
        return list.subFlows().resolve(sub, list.tasks(), list.nesting() + 1);
    }

    @Override
    public JobKind kind() {
        return JobKind.SUB_FLOW;
    }

    @Override
    public List<Graph> lists() {
        return List.of(graph);
    }

    @Override
    public void visitLists(String key, BiConsumer<Graph, String> visitor) {
        visitor.accept(graph, key);
    }

    @Override
    public Graph find(String id) {
        return graph;
    }
}
