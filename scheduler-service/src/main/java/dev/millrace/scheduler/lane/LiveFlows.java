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

/** The flows a lane remembers, those used last; the others are folded anew when needed. Owned by whoever drives the lane. */
public final class LiveFlows {
    private final Map<RunId, Kept> flows = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<RunId, LiveFlow> fresh = new HashMap<>();
    /** Those that were used since the last look at their weights. */
    private final List<Kept> used = new ArrayList<>();

    private final int flowsMax;
    private final long bytesMax;
    private long bytes;

    /** A flow and what it is taken to weigh. */
    private static final class Kept {
        private final LiveFlow flow;
        private long bytes;
        private long weighedVersion = -1;
        private boolean isUsed;
        private boolean isForgotten;

        Kept(LiveFlow flow) {
            this.flow = flow;
        }

        /** A large flow is weighed less often: that costs as much as it has iterations in progress. */
        boolean isOutdated() {
            return weighedVersion < 0
                    || flow.version() < weighedVersion
                    || flow.version() - weighedVersion > bytes / BYTES_PER_LOOK;
        }
    }

    /** A flow is weighed again after one transition for each so many bytes. */
    private static final long BYTES_PER_LOOK = 1 << 16;

    /**
     * @param flowsMax most flows
     * @param bytesMax most bytes of all flows together, those of the present round apart
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

    /** Keeps a flow that was prepared for an item of this round, which is about to make it. */
    void keepFresh(LiveFlow flow) {
        fresh.put(flow.root().run(), flow);
    }

    /** A flow that an item makes: the one prepared for it, as if nothing of it had been made, or a new one. */
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

    /** Whether the flow was made for an item of this round. */
    boolean isFresh(LiveFlow flow) {
        return flow.equals(fresh.get(flow.root().run()));
    }

    /** What was prepared of a run is of no use. */
    void forgetPrepared(RunId run) {
        fresh.remove(run);
        forget(run);
    }

    /** Those that were made are remembered like others; those that were not are of no use. */
    void forgetFresh() {
        fresh.clear();
    }

    void forgetAll() {
        flows.clear();
        used.clear();
        bytes = 0;
    }

    /** Lets go of the flows not used for longest. Only between batches: a flow that is part of one must stay. */
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
