package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.queue.core.JobKind;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Branches that all run. */
public record ParallelWork(List<NamedBranch> branches, int parallelism, Optional<StepPolicy.Extent> stopped)
        implements Fan {
    public record NamedBranch(String name, Graph graph, boolean skipFailure) {}

    static ParallelWork compile(StepAction.Parallel parallel, GraphBuilder list) {
        List<NamedBranch> branches = parallel.branches().stream()
                .map(branch -> new NamedBranch(
                        branch.name(), list.inner(branch.steps(), false, List.of()), branch.skipFailure()))
                .toList();
        return new ParallelWork(branches, parallel.parallelism(), parallel.stopped());
    }

    /** Whether the result is an object with the names of the branches as keys. */
    public boolean isNamed() {
        return branches.stream().anyMatch(branch -> !branch.name().isEmpty());
    }

    @Override
    public JobKind kind() {
        return JobKind.PARALLEL;
    }

    @Override
    public List<Graph> lists() {
        return branches.stream().map(NamedBranch::graph).toList();
    }

    @Override
    public List<Graph> openLists() {
        return lists();
    }

    @Override
    public boolean mayStop() {
        return stopped.isPresent();
    }

    @Override
    public void visitLists(String key, BiConsumer<Graph, String> visitor) {
        for (int branch = 0; branch < branches.size(); branch++) {
            visitor.accept(graph(branch), key + "\\[" + branch + "\\]");
        }
    }

    @Override
    public Graph graph(int number) {
        return branches.get(number).graph();
    }

    @Override
    public boolean skipsFailure(int number, JsonValue item) {
        return branches.get(number).skipFailure();
    }

    @Override
    public LoopOptions options() {
        return LoopOptions.DEFAULT;
    }

    @Override
    public int size(List<JsonValue> items) {
        return branches.size();
    }

    @Override
    public JsonValue item(int number, List<JsonValue> items, @Nullable JsonValue last) {
        return JsonValue.NULL;
    }

    @Override
    public boolean isLoop() {
        return false;
    }
}
