package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the expressions at one place of a random flow may read.
 *
 * @param loop whether there is a loop around
 * @param leavable whether that loop is sequential
 * @param branch whether there is an iteration or a branch of a parallel step around
 * @param inTurn whether the innermost of these is one of several that run one after the other
 */
record Visible(List<String> steps, boolean loop, boolean leavable, boolean branch, boolean inTurn) {
    static final Visible NOTHING = new Visible(List.of(), false, false, false, false);

    Visible with(Set<String> more) {
        List<String> all = new ArrayList<>(steps);
        all.addAll(more);
        return new Visible(all, loop, leavable, branch, inTurn);
    }

    Visible inLoop(int parallelism) {
        return new Visible(steps, true, parallelism == 1, true, parallelism == 1);
    }

    Visible inBranch(int parallelism) {
        return new Visible(steps, loop, leavable, true, parallelism == 1);
    }

    /** The parts that a step may end early. */
    List<StepPolicy.Extent> extents() {
        List<StepPolicy.Extent> extents = new ArrayList<>(List.of(StepPolicy.Extent.LIST));
        if (branch) {
            extents.add(StepPolicy.Extent.BRANCH);
        }
        if (inTurn) {
            extents.add(StepPolicy.Extent.BRANCHES);
        }
        if (leavable) {
            extents.add(StepPolicy.Extent.LOOP);
        }
        return extents;
    }
}
