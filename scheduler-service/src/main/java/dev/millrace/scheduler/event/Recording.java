package dev.millrace.scheduler.event;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.event.core.Scope;
import dev.millrace.scheduler.eventlog.RecordingChanged;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.LaneConnection;
import dev.millrace.scheduler.lane.LaneQuery;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WakeLatch;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workspaces for which lanes store events, and the hand-over that makes sure that a reader misses none.
 *
 * <p>The workspaces are rows of {@code event_recording}; each change of them raises a generation. Each lane's connection
 * holds a shared advisory lock on the generation that the lane knows at least. A lane exchanges the lock between two
 * flushes, and a new connection takes it before its first flush. So once no lock on an older generation is left, every
 * flush that begins from then on stores the events of the workspace. A killed scheduler loses its locks with its
 * connections; the connections of one that does not answer are ended after {@link #PATIENCE}. Thread-safe.
 */
public final class Recording implements AutoCloseable {
    /** How long a workspace is recorded after its last reader has gone. */
    public static final Duration KEPT = Duration.ofHours(1);
    /** First key of the advisory locks. */
    static final int LOCKS = 0x6d72_6576;

    private static final Logger log = LoggerFactory.getLogger(Recording.class);
    /** How often the generation is read in case that a notification was lost. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);
    /** Time after which the lanes that still do not record are cut off from the database. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    /** Time after which a reader is refused. */
    private static final Duration PATIENCE_MAX = Duration.ofSeconds(16);

    private static final Duration LOOK_INTERVAL = Duration.ofMillis(5);

    private static final LaneQuery LOCK = new LaneQuery("select pg_advisory_lock_shared(?::int4, ?::int4)");
    private static final LaneQuery UNLOCK_OLDER = new LaneQuery("""
            select pg_advisory_unlock_shared(l.classid::bigint::int4, l.objid::bigint::int4) from pg_locks l
            where l.pid = pg_backend_pid() and l.locktype = 'advisory' and l.objsubid = 2
              and l.classid = ?::int8::oid and l.objid::int8 < ?::int8
            """);

    private final RecordingStore store;
    private final EventBus bus;
    private final Loop loop = Loop.of("event-recording", this::runOnce);
    /** The generation on which each lane's open connection holds a lock, as far as this scheduler has taken it. */
    private final Map<LaneConnection, Integer> adopted = Collections.synchronizedMap(new WeakHashMap<>());

    private volatile Workspaces known = Workspaces.NONE;

    /**
     * Workspaces that are recorded in a generation.
     *
     * @param runs those whose runs leave events
     * @param steps those whose steps leave events too
     */
    record Workspaces(int generation, Set<Workspace> runs, Set<Workspace> steps) {
        static final Workspaces NONE = new Workspaces(-1, Set.of(), Set.of());

        boolean isEmpty() {
            return runs.isEmpty();
        }
    }

    /**
     * State of a workspace that is recorded completely.
     *
     * @param since all events of transactions from this one on are stored
     * @param settled all transactions below this one have ended
     * @param nowMillis the database's time, in milliseconds since 1970
     */
    record Complete(int epoch, long since, long settled, long nowMillis) {}

    /** @param bus tells every lane to flush soon when the workspaces change ({@link RecordingLearned}) */
    public Recording(Database database, EventBus bus) {
        this.store = new RecordingStore(database);
        this.bus = bus;
    }

    /** Reads the workspaces, and keeps them up to date from then on. */
    public Recording start() {
        store.forgetForeignTransactions();
        learn(store.read());
        loop.start();
        return this;
    }

    /** Reads the workspaces soon. */
    public void wake() {
        loop.wake();
    }

    @Override
    public void close() {
        loop.close();
    }

    Workspaces known() {
        return known;
    }

    /** Notes the workspaces of a generation unless a later one is known. */
    final void learn(Workspaces read) {
        synchronized (this) {
            if (read.generation() <= known.generation()) {
                return;
            }
            known = read;
        }
        bus.publish(new RecordingLearned());
    }

    /**
     * The workspaces that a flush of a lane records. Exchanges the lock of the lane's connection if their generation is a later
     * one. A connection is opened first: until it is, nobody waits for the lane, so that only what is known afterwards counts.
     */
    Workspaces adopt(LaneConnection lane) throws DatabaseLost {
        lane.open();
        Workspaces used = known;
        if (adopted.getOrDefault(lane, -1) < used.generation()) {
            lane.query(LOCK, _ -> true, LOCKS, used.generation());
            while (!lane.query(UNLOCK_OLDER, _ -> true, (long) LOCKS, (long) used.generation())
                    .isEmpty()) {
                // A connection may hold a lock twice.
            }
            adopted.put(lane, used.generation());
        }
        return used;
    }

    /**
     * Makes every scheduler record the events of a workspace, and returns once that is so. Each scope is kept by a row of
     * its own, so readers of runs do not prolong the recording of steps.
     *
     * @param isLasting whether that holds until {@link #release}, and not only for {@link #KEPT}
     */
    Complete require(Workspace workspace, Scope scope, boolean isLasting) throws InterruptedException {
        Optional<RecordingStore.Row> found = store.extend(workspace, scope, isLasting, KEPT);
        if (found.isEmpty()) {
            store.begin(workspace, scope, isLasting, KEPT);
            bus.publish(new RecordingChanged());
            found = store.extend(workspace, scope, isLasting, KEPT);
        }
        learn(store.read());
        RecordingStore.Row row = found.orElseThrow(() -> notRecorded(workspace));
        if (!row.isComplete()) {
            awaitLanes(workspace, row.generation());
            store.complete(workspace, scope);
        }
        return store.state(workspace, scope).orElseThrow(() -> notRecorded(workspace));
    }

    /** Prolongs the recording for a reader. Returns false if it has ended, so that the reader must begin again. */
    boolean prolong(Workspace workspace, Scope scope) {
        return store.extend(workspace, scope, false, KEPT).isPresent();
    }

    /** Lets the recording of a scope end after {@link #KEPT}, because no subscription needs it. */
    void release(Workspace workspace, Scope scope) {
        store.release(workspace, scope, KEPT);
    }

    private void awaitLanes(Workspace workspace, int generation) throws InterruptedException {
        long begin = System.nanoTime();
        boolean cut = false;
        for (List<Integer> behind = store.lanesBehind(generation);
                !behind.isEmpty();
                behind = store.lanesBehind(generation)) {
            long waited = System.nanoTime() - begin;
            if (waited > PATIENCE_MAX.toNanos()) {
                throw notRecorded(workspace);
            }
            if (waited > PATIENCE.toNanos() && !cut) {
                cut = true;
                log.atWarn()
                        .addKeyValue("backends", behind)
                        .log("Lanes that do not begin to record events are disconnected from the database");
                store.terminate(generation);
            }
            WakeLatch.pause(LOOK_INTERVAL);
        }
    }

    private static MillraceException notRecorded(Workspace workspace) {
        return new MillraceException(
                ErrorCode.DATABASE_UNAVAILABLE,
                "Some scheduler has not begun to record the events of the workspace " + workspace
                        + ": repeat the call, and look for a scheduler that hangs if it keeps failing.");
    }

    /** Ends the recording of workspaces without readers, and looks for changes by other schedulers. */
    Duration runOnce() {
        store.expire();
        learn(store.read());
        return HEALING_INTERVAL;
    }
}
