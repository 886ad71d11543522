package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A loop that a condition controls. */
public record WhileWork(Template condition, boolean conditionFirst, int iterationsMax, Graph body, LoopOptions options)
        implements Fan {
    static WhileWork compile(StepAction.While loop, GraphBuilder list) {
        loop.options().key().ifPresent(list::read);
        List<Template> ending =
                new ArrayList<>(loop.options().breakIf().stream().toList());
        ending.add(loop.condition());
        Graph body = list.inner(loop.body(), false, ending);
        return new WhileWork(loop.condition(), loop.conditionFirst(), loop.iterationsMax(), body, loop.options());
    }

    @Override
    public JobKind kind() {
        return JobKind.WHILE;
    }

    @Override
    public List<Graph> lists() {
        return List.of(body);
    }

    @Override
    public void visitLists(String key, BiConsumer<Graph, String> visitor) {
        visitor.accept(body, key + ForEachWork.ITERATION);
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
    public int parallelism() {
        return 1;
    }

    @Override
    public int size(List<JsonValue> items) {
        return iterationsMax;
    }

    @Override
    public JsonValue item(int number, List<JsonValue> items, @Nullable JsonValue last) {
        return last == null ? JsonValue.NULL : last;
    }
}
