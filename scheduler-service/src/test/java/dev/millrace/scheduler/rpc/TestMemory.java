package dev.millrace.scheduler.rpc;

import dev.millrace.memory.MemoryBudget;
import java.util.Set;

/** A budget that is too large for any test to exhaust. */
final class TestMemory {
    private static final long BYTES = 256L << 20;

    private TestMemory() {}

    static RpcMemory ofCalls() {
        MemoryBudget budget = MemoryBudget.ofBytes(BYTES);
        return new RpcMemory(
                budget.part("requests", 0.3),
                budget.part("answers", 0.3),
                budget.part("results", 0.3),
                1 << 20,
                Set.of());
    }
}
