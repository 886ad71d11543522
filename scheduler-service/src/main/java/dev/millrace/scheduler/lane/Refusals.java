package dev.millrace.scheduler.lane;

import java.util.IdentityHashMap;

/**
 * How often the database has refused each command that was set aside since, because the move of its flow had to be prepared anew.
 * Owned by the lane's driver.
 */
final class Refusals {
    private final IdentityHashMap<LaneCommand, Integer> counts = new IdentityHashMap<>();

    void keep(LaneCommand command, int count) {
        if (count > 0) {
            counts.put(command, count);
        }
    }

    /** Returns the count of a command that is tried again, and forgets it. */
    int take(LaneCommand command) {
        Integer count = counts.remove(command);
        return count == null ? 0 : count;
    }

    /** Forgets all counts, since no command is set aside. */
    void clear() {
        counts.clear();
    }
}
