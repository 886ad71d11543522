package dev.millrace.scheduler.flow.core.graph;

import java.util.function.BiConsumer;

/** What holds steps of its own. */
public sealed interface Container extends Work permits Fan, SwitchWork, SubFlowWork {
    @Override
    default boolean followsItsPolicy() {
        return true;
    }

    /**
     * Visits each list inside with the keys of what it stands for.
     *
     * @param key of the container, as a regular expression
     */
    void visitLists(String key, BiConsumer<Graph, String> visitor);
}
