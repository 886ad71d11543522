package dev.millrace.scheduler.start;

import dev.millrace.scheduler.expression.evaluator.EvaluationOwner;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.lane.RunAccepted;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the runs that the lanes of this scheduler accept undecided, and limits how many runs begin at a time whose
 * first decisions evaluate expressions. Each workspace has places of its own, so that expressions that never end keep
 * only the runs of their workspace waiting.
 *
 * <p>Everything here is a hint: the runs are pending in the database. A run that finds no room here is left to {@link
 * PendingRunStarter}, of whichever scheduler. Thread-safe.
 */
public final class AcceptedRuns {
    private static final Logger log = LoggerFactory.getLogger(AcceptedRuns.class);

    /** Maximum number of runs of a workspace that begin at a time. */
    static final int BEGINNING_MAX = 500;
    /** Maximum number of accepted runs of a workspace that wait in memory to begin. */
    static final int WAITING_MAX = 10_000;
    /** Maximum size of the inputs of all waiting runs together, in characters. */
    static final long WAITING_LENGTH_MAX = 16L << 20;

    private final Lanes lanes;
    private final LaneStarts starts;
    private final Map<Workspace, Places> places = new HashMap<>();
    private long waitingLength;

    /** The runs of one workspace. */
    private static final class Places {
        private final Set<RunId> beginning = new HashSet<>();
        private final Deque<RunAccepted> waiting = new ArrayDeque<>();

        boolean hasRoom() {
            return beginning.size() < BEGINNING_MAX;
        }

        boolean isEmpty() {
            return beginning.isEmpty() && waiting.isEmpty();
        }
    }

    private AcceptedRuns(Lanes lanes) {
        this.lanes = lanes;
        this.starts = new LaneStarts(lanes);
    }

    /** Begins the accepted runs that the bus announces. */
    public static AcceptedRuns subscribe(EventBus bus, Lanes lanes) {
        AcceptedRuns runs = new AcceptedRuns(lanes);
        bus.subscribe(RunAccepted.class, runs::add);
        return runs;
    }

    private void add(RunAccepted accepted) {
        synchronized (this) {
            Places own = places.computeIfAbsent(accepted.root().workspace(), _ -> new Places());
            if (!own.hasRoom()) {
                int length = accepted.input().text().length();
                if (own.waiting.size() < WAITING_MAX && waitingLength + length <= WAITING_LENGTH_MAX) {
                    own.waiting.add(accepted);
                    waitingLength += length;
                }
                return;
            }
            own.beginning.add(accepted.root().run());
        }
        begin(accepted);
    }

    /** Takes a place for a run that somebody else begins. Returns false if there is none, or if the run has one. */
    synchronized boolean enter(Workspace workspace, RunId run) {
        Places own = places.computeIfAbsent(workspace, _ -> new Places());
        return own.hasRoom() && own.beginning.add(run);
    }

    /** Gives the place of a run back, to the next waiting run. */
    void leave(Workspace workspace, RunId run) {
        Optional<RunAccepted> next;
        synchronized (this) {
            Places own = places.get(workspace);
            if (own == null || !own.beginning.remove(run)) {
                return;
            }
            next = Optional.ofNullable(own.waiting.poll());
            next.ifPresent(waited -> {
                waitingLength -= waited.input().text().length();
                own.beginning.add(waited.root().run());
            });
            if (own.isEmpty()) {
                places.remove(workspace);
            }
        }
        next.ifPresent(this::begin);
    }

    private void begin(RunAccepted accepted) {
        if (accepted.isNew()) {
            var _ = lanes.<Boolean>demand(accepted.root().run(), answer -> new BeginAcceptedRun(accepted, answer))
                    .whenComplete((begun, _) -> {
                        if (Boolean.TRUE.equals(begun)) {
                            leave(accepted);
                        } else {
                            beginAside(accepted);
                        }
                    });
        } else {
            beginAside(accepted);
        }
    }

    /** Begins the run like any pending run. Its keys may need evaluations, so this takes a thread of its own. */
    private void beginAside(RunAccepted accepted) {
        Thread.ofVirtual().name("run-start").start(() -> {
            RunId run = accepted.root().run();
            try {
                EvaluationOwner owner =
                        new EvaluationOwner(Optional.of(accepted.root().workspace()), run.toString());
                RunStart start = ScopedValue.where(EvaluationOwner.CURRENT, owner)
                        .call(() -> RunStart.Begun.of(
                                run, accepted.version(), accepted.root().target(), accepted.model(), accepted.input()));
                starts.beginToTheEnd(start).join();
            } catch (RuntimeException failed) {
                log.atWarn()
                        .addKeyValue("run", run)
                        .setCause(failed)
                        .log("A run could not be started and will be tried again");
            } finally {
                leave(accepted);
            }
        });
    }

    private void leave(RunAccepted accepted) {
        leave(accepted.root().workspace(), accepted.root().run());
    }
}
