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
 * The time limits of the containers in progress. Each is a wait in the queue, under the key of its container with the mark {@link
 * StepKey.Mark#LIMIT}; nothing waits for it to end. Costs nothing where no container has one.
 */
public final class TimeLimits {
    private final Set<StepKey> live;
    private final NavigableSet<String> containers = new TreeSet<>();
    private final List<StepKey> withdrawn = new ArrayList<>();

    /** @param live everything of the run that is in the queue */
    TimeLimits(Set<StepKey> live) {
        this.live = live;
    }

    /** Whether the limit of the container is running. */
    public boolean has(StepKey container) {
        return containers.contains(container.text());
    }

    public void begin(StepKey container) {
        containers.add(container.text());
        live.add(container.with(StepKey.Mark.LIMIT));
    }

    /** The time of the container is over. */
    public void expire(StepKey container) {
        containers.remove(container.text());
        live.remove(container.with(StepKey.Mark.LIMIT));
    }

    /** A container, an iteration or a step has ended: neither its limit nor those inside of it count any more. */
    void withdraw(StepKey ended) {
        if (containers.isEmpty()) {
            return;
        }
        withdrawInside(ended);
        if (has(ended)) {
            withdraw(ended.text());
        }
    }

    /** What is inside has ended, and begins again. */
    void withdrawInside(StepKey container) {
        for (char separator : new char[] {'.', '['}) {
            String from = container.text() + separator;
            String to = container.text() + (char) (separator + 1);
            List.copyOf(containers.subSet(from, to)).forEach(this::withdraw);
        }
    }

    /** Everything else inside a container that is in the queue, and the wait before it; in the order of the keys. */
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

    /** Takes the keys of the limits that are to leave the queue. */
    public List<StepKey> takeWithdrawn() {
        if (withdrawn.isEmpty()) {
            return List.of();
        }
        List<StepKey> taken = List.copyOf(withdrawn);
        withdrawn.clear();
        return taken;
    }
}
