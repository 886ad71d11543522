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
 * The items of one run that wait for values, and those behind them. The items come first, in their order; what is behind waits until they are
 * durable. Owned by whoever drives the lane.
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

    /** What works the values out; empty once the items may be planned. */
    Optional<Preparation> preparation() {
        return Optional.ofNullable(preparation);
    }

    /** The items wait again, for other values. */
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

    /** An item before which nothing else of the run needs to be done: the values are given up. */
    void addUrgent(LaneCommand item) {
        urgent.add(item);
        preparation().ifPresent(Preparation::cancel);
    }

    /** Everything that waits, in the order in which it is to be looked at anew. */
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
