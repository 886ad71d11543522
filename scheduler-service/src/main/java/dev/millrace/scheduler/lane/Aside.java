package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one run that wait for a preparation, and the later commands of that run behind them. The first
 * commands keep their order; those behind wait until the first are durable. Owned by the lane's driver.
 */
final class Aside {
    private final RunId run;
    private List<LaneCommand> items;
    private final Deque<LaneCommand> behind = new ArrayDeque<>();
    private final List<LaneCommand> urgent = new ArrayList<>();
    private @Nullable Preparation preparation;

    Aside(RunId run, List<LaneCommand> items, @Nullable Preparation preparation) {
        this.run = run;
        this.items = items;
        items.forEach(LaneCommand::putOff);
        this.preparation = preparation;
    }

    RunId run() {
        return run;
    }

    List<LaneCommand> items() {
        return items;
    }

    /** What prepares the commands; empty once they may be planned. */
    Optional<Preparation> preparation() {
        return Optional.ofNullable(preparation);
    }

    /** Makes the commands wait again, for another preparation. */
    void await(List<LaneCommand> waiting, Preparation next) {
        items = waiting;
        items.forEach(LaneCommand::putOff);
        preparation = next;
    }

    void finish() {
        preparation = null;
    }

    void add(LaneCommand item) {
        if (item.isFoundAgain()) {
            item.putOff();
            if (Stream.concat(items.stream(), behind.stream()).anyMatch(item::repeats)) {
                return;
            }
        }
        behind.add(item);
    }

    /** Adds a command that needs no earlier command of the run to be done. Cancels the preparation. */
    void addUrgent(LaneCommand item) {
        urgent.add(item);
        preparation().ifPresent(Preparation::cancel);
    }

    /** All waiting commands, in the order in which they are to be admitted again. */
    List<LaneCommand> all() {
        List<LaneCommand> all = new ArrayList<>(urgent);
        all.addAll(items);
        all.addAll(behind);
        return all;
    }

    List<LaneCommand> behind() {
        return List.copyOf(behind);
    }

    int size() {
        return items.size() + behind.size() + urgent.size();
    }
}
