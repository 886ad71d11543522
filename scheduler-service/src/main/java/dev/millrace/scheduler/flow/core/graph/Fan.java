package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A container with numbered scopes: iterations or branches. */
public sealed interface Fan extends Container permits ForEachWork, WhileWork, ParallelWork {
    /** The steps of an iteration or branch. */
    Graph graph(int number);

    /** Whether a failed iteration or branch with this item results in its error instead of failing the container. */
    boolean skipsFailure(int number, JsonValue item);

    /** Maximum number of iterations or branches in progress at the same time. */
    int parallelism();

    /** How the results are combined. */
    LoopOptions options();

    /** Maximum number of iterations or branches. */
    int size(List<JsonValue> items);

    /**
     * The item that an iteration or branch can read.
     *
     * @param last result of the previous iteration; null if there is none
     */
    JsonValue item(int number, List<JsonValue> items, @Nullable JsonValue last);

    /** Whether each iteration has its own item, and all items are known when the loop begins. */
    default boolean hasItems() {
        return false;
    }

    /** Whether the scopes are iterations rather than branches. */
    default boolean isLoop() {
        return true;
    }

    /** Whether the iterations run one after the other. */
    default boolean isSequentialLoop() {
        return isLoop() && parallelism() == 1;
    }
}
