package dev.millrace.scheduler.lane;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Flows of which a run, when it was submitted, ended so many steps without a worker that its flush took no further command. Owned
 * by the lane's driver.
 */
final class HeavyFlows {
    private static final int REMEMBERED_MAX = 20;

    /** Hashes, the one that was noted last at the end. */
    private final Deque<String> hashes = new ArrayDeque<>();

    /** Notes the flow of the last command of such a flush. */
    void note(LaneCommand last) {
        last.submitted().ifPresent(flow -> {
            hashes.remove(flow);
            hashes.add(flow);
            if (hashes.size() > REMEMBERED_MAX) {
                hashes.removeFirst();
            }
        });
    }

    /** Whether the command does nothing but submit a run of such a flow. */
    boolean isSubmittedBy(LaneCommand command) {
        return command.submitted().filter(hashes::contains).isPresent();
    }
}
