package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.LoopOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What holds scopes by number: iterations or branches. */
public sealed interface Fan extends Container permits ForEachWork, WhileWork, ParallelWork {
    /** The steps of one of them. */
    Graph graph(int number);

    /** Whether the failure of one, which works on this item, leaves its error as its result. */
    boolean skipsFailure(int number, JsonValue item);

    /** Most in progress at a time. */
    int parallelism();

    /** How they come together. */
    LoopOptions options();

    /** How many there are at most. */
    int size(List<JsonValue> items);

    /**
     * What one of them sees as its item.
     *
     * @param last what the one before results in; null where there is none
     */
    JsonValue item(int number, List<JsonValue> items, @Nullable JsonValue last);

    /** Whether each works on an item of its own, all of which are known when it begins. */
    default boolean hasItems() {
        return false;
    }

    /** Whether they are iterations, and not branches. */
    default boolean isLoop() {
        return true;
    }

    /** Whether each iteration follows the one before. */
    default boolean isSequentialLoop() {
        return isLoop() && parallelism() == 1;
    }
}
