package dev.millrace.scheduler.eventtrigger;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Runs that events have started, one after another. A chain begins with a run that the event of something else has started.
 * It is bounded in length, or a flow that starts on its own end would never stop; and in number, or triggers that start each
 * other would multiply at each link. Knows the chains of one look at events; not thread-safe.
 */
final class Chains {
    /** Maximum number of triggers of events that lead from one run to the next. */
    static final int LENGTH_MAX = 8;
    /** Maximum number of runs of a chain. */
    static final int RUNS_MAX = 1_000;

    private static final String ADVICE =
            ", as many as may be: let the trigger wait for other types, folders or paths, so"
                    + " that its runs do not start each other.";

    private final Map<RunId, Link> links;
    private final Map<RunId, Integer> runs;

    /**
     * A run's place in its chain.
     *
     * @param first the run with which the chain begins
     * @param depth number of triggers that led to the run, from 1 on
     */
    record Link(RunId first, int depth) {}

    /**
     * @param links places of those runs of the events that events have started
     * @param runs number of runs of each chain so far, by its first run
     */
    Chains(Map<RunId, Link> links, Map<RunId, Integer> runs) {
        this.links = links;
        this.runs = new HashMap<>(runs);
    }

    /** Why the event of a run may start no further run; empty if it may. */
    Optional<String> refusal(Optional<RunId> run) {
        Optional<Link> link = run.map(links::get);
        if (link.filter(last -> last.depth() >= LENGTH_MAX).isPresent()) {
            return Optional.of("The run of this event is the last of " + LENGTH_MAX
                    + " that events have started one after another" + ADVICE);
        }
        if (link.filter(last -> runs.getOrDefault(last.first(), 0) >= RUNS_MAX).isPresent()) {
            return Optional.of("The run of this event belongs to " + RUNS_MAX + " that follow from the run "
                    + link.get().first() + " by events" + ADVICE);
        }
        return Optional.empty();
    }

    /** Adds the run that the event of a run starts, and returns its place. */
    Link add(Optional<RunId> run, RunId started) {
        Link added = run.map(links::get)
                .map(before -> new Link(before.first(), before.depth() + 1))
                .orElseGet(() -> new Link(started, 1));
        runs.merge(added.first(), 1, Integer::sum);
        return added;
    }
}
