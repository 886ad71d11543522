package dev.millrace.scheduler.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

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

    /** Hands submissions of runs of such flows to {@code later}, and returns the other commands. */
    List<LaneCommand> putOff(List<LaneCommand> commands, Consumer<LaneCommand> later) {
        if (commands.isEmpty()) {
            return commands;
        }
        List<LaneCommand> others = new ArrayList<>();
        for (LaneCommand command : commands) {
            boolean isHeavy = command.submitted().filter(hashes::contains).isPresent();
            if (isHeavy) {
                later.accept(command);
            } else {
                others.add(command);
            }
        }
        return others;
    }
}
