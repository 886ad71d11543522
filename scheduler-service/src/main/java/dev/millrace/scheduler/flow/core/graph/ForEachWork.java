package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.queue.core.JobKind;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A loop over an array of items. */
public record ForEachWork(
        Template items, int parallelism, Optional<Template> computedParallelism, Graph body, LoopOptions options)
        implements Fan {
    /** Suffix of the keys of iterations, as a regular expression. */
    static final String ITERATION = "\\[[0-9]+\\]";

    static ForEachWork compile(StepAction.ForEach loop, GraphBuilder list) {
        list.read(loop.items());
        loop.computedParallelism().ifPresent(list::read);
        list.read(loop.options().skipFailures());
        loop.options().key().ifPresent(list::read);
        boolean single = loop.single() && standsForIteration(loop.body().steps().getFirst());
        Graph body = list.inner(
                loop.body(), single, loop.options().breakIf().stream().toList());
        return new ForEachWork(loop.items(), loop.parallelism(), loop.computedParallelism(), body, loop.options());
    }

    /**
     * Only a plain step can share the key of its iteration: a container, or a step that may stop early, writes further
     * rows.
     */
    private static boolean standsForIteration(Step step) {
        return step.policy().equals(StepPolicy.NONE) && step.action().leavesOneRow();
    }

    @Override
    public JobKind kind() {
        return JobKind.FOR_EACH;
    }

    @Override
    public List<Graph> lists() {
        return List.of(body);
    }

    @Override
    public void visitLists(String key, BiConsumer<Graph, String> visitor) {
        visitor.accept(body, key + ITERATION);
    }

    @Override
    public Graph graph(int number) {
        return body;
    }

    @Override
    public boolean skipsFailure(int number, JsonValue item) {
        return options.skipsFailure(item);
    }

    @Override
    public int size(List<JsonValue> all) {
        return all.size();
    }

    @Override
    public JsonValue item(int number, List<JsonValue> all, @Nullable JsonValue last) {
        return all.get(number);
    }

    @Override
    public boolean hasItems() {
        return true;
    }
}
