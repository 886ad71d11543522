package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The effects of a durable flush on others, gathered from all features, so that {@link PostCommit} announces them in
 * one order.
 */
public final class Effects {
    private final EndedLeases ended = new EndedLeases();
    private final Set<String> freedTags = new HashSet<>();
    private final List<RunId> changed = new ArrayList<>();

    /** Notes that jobs have left the queue without a result from a worker. */
    public void endLeases(EndedLeases leases) {
        ended.addAll(leases);
    }

    /** Notes that jobs with these tags have become claimable. */
    public void freeTags(Collection<String> tags) {
        freedTags.addAll(tags);
    }

    /** Removes and returns the freed tags that no worker serves. The caller announces them. */
    public Set<String> takeFreed(Predicate<String> tags) {
        if (freedTags.isEmpty()) {
            return Set.of();
        }
        Set<String> taken = freedTags.stream().filter(tags).collect(Collectors.toSet());
        freedTags.removeAll(taken);
        return taken;
    }

    /** The jobs that have left the queue without a result from a worker. */
    public EndedLeases ended() {
        return ended;
    }

    /** Notes a change of the run that callers can see. Repeated notes are harmless. */
    public void changed(RunId run) {
        changed.add(run);
    }

    Set<String> freedTags() {
        return freedTags;
    }

    /** The changed runs, some of them repeatedly: a set would cost each job more than another announcement does. */
    List<RunId> changed() {
        return changed;
    }
}
