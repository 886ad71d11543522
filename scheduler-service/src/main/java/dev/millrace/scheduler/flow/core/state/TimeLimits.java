package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The time limits of the containers in progress. Each limit is a wait in the queue, under the key of its container with
 * the mark {@link StepKey.Mark#LIMIT}. No step waits for its end. Without limits, this costs nothing.
 */
public final class TimeLimits {
    private final Set<StepKey> live;
    private final NavigableSet<String> containers = new TreeSet<>();
    private final List<StepKey> withdrawn = new ArrayList<>();

    /**
     * Creates the limits of a run.
     *
     * @param live keys of everything the run has in the queue
     */
    TimeLimits(Set<StepKey> live) {
        this.live = live;
    }

    /** Returns whether a time limit of the container is running. */
    public boolean has(StepKey container) {
        return containers.contains(container.text());
    }

    public void begin(StepKey container) {
        containers.add(container.text());
        live.add(container.with(StepKey.Mark.LIMIT));
    }

    /** Removes the limit of a container whose time has expired. */
    public void expire(StepKey container) {
        containers.remove(container.text());
        live.remove(container.with(StepKey.Mark.LIMIT));
    }

    /** Withdraws the limits of a container, an iteration or a step that has ended, and of everything inside it. */
    void withdraw(StepKey ended) {
        if (containers.isEmpty()) {
            return;
        }
        withdrawInside(ended);
        if (has(ended)) {
            withdraw(ended.text());
        }
    }

    /** Withdraws the limits inside a container, which has ended or begins again. */
    void withdrawInside(StepKey container) {
        for (char separator : new char[] {'.', '['}) {
            String from = container.text() + separator;
            String to = container.text() + (char) (separator + 1);
            List.copyOf(containers.subSet(from, to)).forEach(this::withdraw);
        }
    }

    /**
     * Returns the queue entries inside a container, and the wait before it, without time limits, in the order of their
     * keys.
     */
    public List<StepKey> liveInside(StepKey container) {
        return live.stream()
                .filter(key -> container.contains(key)
                        || (key.mark().isPresent() && key.step().equals(container)))
                .filter(key -> !key.mark().equals(Optional.of(StepKey.Mark.LIMIT)))
                .sorted(Comparator.comparing(StepKey::text))
                .toList();
    }

    void withdrawAll() {
        List.copyOf(containers).forEach(this::withdraw);
    }

    private void withdraw(String container) {
        StepKey key = new StepKey(container);
        expire(key);
        withdrawn.add(key.with(StepKey.Mark.LIMIT));
    }

    /** Removes and returns the keys of the limits that must leave the queue. */
    public List<StepKey> takeWithdrawn() {
        if (withdrawn.isEmpty()) {
            return List.of();
        }
        List<StepKey> taken = List.copyOf(withdrawn);
        withdrawn.clear();
        return taken;
    }
}
