package dev.millrace.scheduler.flow.core.graph;

import java.util.function.BiConsumer;

/** Work that consists of further steps. */
public sealed interface Container extends Work permits Fan, SwitchWork, SubFlowWork {
    @Override
    default boolean followsItsPolicy() {
        return true;
    }

    /**
     * Visits each list inside, with the keys of the scopes that the list describes.
     *
     * @param key of the container, as a regular expression
     */
    void visitLists(String key, BiConsumer<Graph, String> visitor);
}
