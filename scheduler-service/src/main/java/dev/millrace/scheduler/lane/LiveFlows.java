package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The flows a lane remembers, those used last; the others are folded anew when needed. Owned by one lane thread. */
final class LiveFlows {
    private final Map<RunId, LiveFlow> flows = new LinkedHashMap<>(16, 0.75f, true);
    private final int flowsMax;

    LiveFlows(int flowsMax) {
        this.flowsMax = flowsMax;
    }

    Optional<LiveFlow> find(RunId run) {
        return Optional.ofNullable(flows.get(run));
    }

    void put(LiveFlow flow) {
        flows.put(flow.root().run(), flow);
    }

    void forget(RunId run) {
        flows.remove(run);
    }

    void forgetAll() {
        flows.clear();
    }

    /** Lets go of the flows not used for longest. Only between batches: a flow that is part of one must stay. */
    void trim() {
        Iterator<LiveFlow> eldest = flows.values().iterator();
        while (flows.size() > flowsMax && eldest.hasNext()) {
            eldest.next();
            eldest.remove();
        }
    }
}
