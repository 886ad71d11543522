package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The flows a lane remembers, those used last; the others are folded anew when needed. Owned by whoever drives the lane. */
final class LiveFlows {
    private final Map<RunId, LiveFlow> flows = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<RunId, LiveFlow> fresh = new HashMap<>();
    private final Map<RunId, Weighed> weights = new HashMap<>();
    private final Set<RunId> touched = new HashSet<>();
    private final int flowsMax;
    private final long bytesMax;
    private long bytes;

    /** Rough bytes of a flow as of a version. */
    private record Weighed(long bytes, long version) {
        /** A large flow is weighed less often: that costs as much as it has steps and iterations in progress. */
        boolean isOutdated(LiveFlow flow) {
            return flow.version() < version || flow.version() - version > bytes / BYTES_PER_LOOK;
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

    Optional<LiveFlow> find(RunId run) {
        LiveFlow flow = flows.get(run);
        if (flow == null) {
            return Optional.empty();
        }
        touched.add(run);
        if (flow.isBroken()) {
            flows.remove(run);
            return Optional.empty();
        }
        return Optional.of(flow);
    }

    void put(LiveFlow flow) {
        flows.put(flow.root().run(), flow);
        touched.add(flow.root().run());
    }

    void forget(RunId run) {
        flows.remove(run);
        touched.add(run);
    }

    /** Keeps a flow that was prepared for an item of this round, which is about to make it. */
    void keepFresh(LiveFlow flow) {
        fresh.put(flow.root().run(), flow);
    }

    /** A flow that an item makes: the one prepared for it, as if nothing of it had been made, or a new one. */
    LiveFlow fresh(RunId run, Supplier<LiveFlow> made) {
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
        weights.clear();
        bytes = 0;
    }

    /** Lets go of the flows not used for longest. Only between batches: a flow that is part of one must stay. */
    void trim() {
        touched.forEach(this::weigh);
        touched.clear();
        Iterator<Map.Entry<RunId, LiveFlow>> eldest = flows.entrySet().iterator();
        while ((flows.size() > flowsMax || bytes > bytesMax) && eldest.hasNext()) {
            RunId run = eldest.next().getKey();
            eldest.remove();
            setWeight(run, null);
        }
    }

    private void weigh(RunId run) {
        LiveFlow flow = flows.get(run);
        Weighed before = weights.get(run);
        if (flow == null) {
            setWeight(run, null);
        } else if (before == null || before.isOutdated(flow)) {
            setWeight(run, new Weighed(flow.weight(), flow.version()));
        }
    }

    private void setWeight(RunId run, @Nullable Weighed weight) {
        Weighed before = weight == null ? weights.remove(run) : weights.put(run, weight);
        bytes += (weight == null ? 0 : weight.bytes()) - (before == null ? 0 : before.bytes());
    }
}
