package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The flows that a lane remembers, at least the most recently used ones. Other flows are folded from the database when
 * needed. Owned by the lane's driver.
 */
public final class LiveFlows {
    private final Map<RunId, Kept> flows = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<RunId, LiveFlow> fresh = new HashMap<>();
    /** Flows used since {@link #trim} last weighed them. */
    private final List<Kept> used = new ArrayList<>();

    private final int flowsMax;
    private final long bytesMax;
    private long bytes;

    /** A flow with its last known weight. */
    private static final class Kept {
        private final LiveFlow flow;
        private long bytes;
        private long weighedVersion = -1;
        private boolean isUsed;
        private boolean isForgotten;

        Kept(LiveFlow flow) {
            this.flow = flow;
        }

        /**
         * Whether the flow should be weighed again. A large flow is weighed less often, because the cost grows with its
         * iterations in progress.
         */
        boolean isOutdated() {
            return weighedVersion < 0
                    || flow.version() < weighedVersion
                    || flow.version() - weighedVersion > bytes / BYTES_PER_LOOK;
        }
    }

    /** Bytes of a flow's weight for each transition that may pass until it is weighed again. */
    private static final long BYTES_PER_LOOK = 1 << 16;

    /**
     * @param flowsMax maximum number of flows
     * @param bytesMax maximum number of bytes of all flows together, except those used in the current round
     */
    LiveFlows(int flowsMax, long bytesMax) {
        this.flowsMax = flowsMax;
        this.bytesMax = bytesMax;
    }

    public Optional<LiveFlow> find(RunId run) {
        Kept kept = flows.get(run);
        if (kept == null) {
            return Optional.empty();
        }
        if (kept.flow.isBroken()) {
            forget(run);
            return Optional.empty();
        }
        use(kept);
        return Optional.of(kept.flow);
    }

    void put(LiveFlow flow) {
        RunId run = flow.root().run();
        Kept before = flows.get(run);
        if (before != null && before.flow.equals(flow)) {
            use(before);
        } else {
            forget(run);
            Kept kept = new Kept(flow);
            flows.put(run, kept);
            use(kept);
        }
    }

    private void use(Kept kept) {
        if (!kept.isUsed) {
            kept.isUsed = true;
            used.add(kept);
        }
    }

    void forget(RunId run) {
        Kept kept = flows.remove(run);
        if (kept != null) {
            left(kept);
        }
    }

    private void left(Kept kept) {
        bytes -= kept.bytes;
        kept.isForgotten = true;
    }

    /** Keeps a flow that was prepared for a command of this round, which is about to make it. */
    void keepFresh(LiveFlow flow) {
        fresh.put(flow.root().run(), flow);
    }

    /** A new flow of a command: the one prepared for the command, rewound, or one from {@code made}. */
    public LiveFlow fresh(RunId run, Supplier<LiveFlow> made) {
        LiveFlow known = fresh.get(run);
        if (known != null && known.canRewind()) {
            known.rewind();
            return known;
        }
        LiveFlow flow = made.get();
        fresh.put(run, flow);
        return flow;
    }

    /** Whether the flow is a new flow of a command of this round. */
    boolean isFresh(LiveFlow flow) {
        return flow.equals(fresh.get(flow.root().run()));
    }

    /** Drops everything prepared for a run. */
    void forgetPrepared(RunId run) {
        fresh.remove(run);
        forget(run);
    }

    /** Drops the new flows of this round. Those that were accepted are remembered like others. */
    void forgetFresh() {
        fresh.clear();
    }

    void forgetAll() {
        flows.clear();
        used.clear();
        bytes = 0;
    }

    /**
     * Drops the least recently used flows if there are too many or they take too much memory. Call it only between
     * batches, because flows of a batch must stay.
     */
    void trim() {
        used.forEach(this::weigh);
        used.clear();
        Iterator<Kept> eldest = flows.values().iterator();
        while ((flows.size() > flowsMax || bytes > bytesMax) && eldest.hasNext()) {
            Kept kept = eldest.next();
            eldest.remove();
            left(kept);
        }
    }

    private void weigh(Kept kept) {
        kept.isUsed = false;
        if (!kept.isForgotten && kept.isOutdated()) {
            bytes -= kept.bytes;
            kept.bytes = kept.flow.weight();
            kept.weighedVersion = kept.flow.version();
            bytes += kept.bytes;
        }
    }
}
