package dev.millrace.scheduler.rpc;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls that callers without a token keep open: those whose request is not complete, and streams. Each holds some of the memory
 * of requests for as long as its caller likes. So only so many stay open, and the oldest one ends for the next. A caller who asks
 * for little, such as a probe, is answered meanwhile. Thread-safe.
 */
final class CallsOfStrangers {
    /** One in so many of the calls for which there is memory. */
    private static final int SHARE = 4;

    private final long max;
    /** Oldest first; guarded by this. */
    private final Set<CallMemory> open = new LinkedHashSet<>();

    CallsOfStrangers(RpcMemory memory) {
        this.max = Math.max(1, memory.requests().limitBytes() / CallMemory.CALL_BYTES / SHARE);
    }

    /** Adds a call that begins. */
    void add(CallMemory call) {
        CallMemory oldest = addAndFindSurplus(call);
        if (oldest != null) {
            oldest.endForAnother();
        }
    }

    private synchronized @Nullable CallMemory addAndFindSurplus(CallMemory call) {
        open.add(call);
        if (open.size() <= max) {
            return null;
        }
        CallMemory oldest = open.iterator().next();
        open.remove(oldest);
        return oldest;
    }

    /** Removes a call that its caller cannot keep open any longer, if it is there. */
    synchronized void remove(CallMemory call) {
        open.remove(call);
    }
}
