package dev.millrace.cli.output;

import dev.millrace.cli.client.State;
import java.util.List;

/**
 * Which children of a step a drawing shows.
 *
 * @param childrenMax limit above which only children are shown that run or failed
 * @param isNarrow whether only those are shown in any case
 */
record StepFilter(int childrenMax, boolean isNarrow) {
    List<StepNode> shown(List<StepNode> children) {
        if (!isNarrow && children.size() <= childrenMax) {
            return children;
        }
        return children.stream()
                .filter(child -> child.state() == State.RUNNING || child.state() == State.FAILED)
                .limit(childrenMax)
                .toList();
    }
}
