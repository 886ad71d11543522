package dev.millrace.scheduler.flow.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What expressions of a random flow may read somewhere.
 *
 * @param loop whether there is a loop around
 * @param leavable whether that loop takes one iteration after the other
 */
record Visible(List<String> steps, boolean loop, boolean leavable) {
    static final Visible NOTHING = new Visible(List.of(), false, false);

    Visible with(Set<String> more) {
        List<String> all = new ArrayList<>(steps);
        all.addAll(more);
        return new Visible(all, loop, leavable);
    }

    Visible inLoop(int parallelism) {
        return new Visible(steps, true, parallelism == 1);
    }
}
