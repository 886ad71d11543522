package dev.millrace.scheduler.run.step;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The loops of a run, or of one iteration in it, folded from rows of the history in their order. It knows the loops around
 * which all iterations are shown one by one; those inside an iteration of a folded loop have a fold of their own. Not
 * thread-safe.
 */
final class RunFold {
    /** Iterations whose states are kept, at some 30 bytes each. If a run has more, only the sizes of its loops are known. */
    static final int ITERATIONS_MAX = 500_000;
    /** Loops that are looked for. Further ones, which lie inside others, are not folded. */
    static final int LOOPS_MAX = 20_000;

    private final int scopeLength;
    private final Map<String, LoopFold> loops = new HashMap<>();
    private int kept;
    private boolean isDropped;

    /** @param scope key of the iteration; empty for the whole run */
    RunFold(String scope) {
        this.scopeLength = scope.length();
    }

    /** The loops that live jobs are in, as far as these show them. */
    static RunFold ofLive(String scope, Collection<Step> live) {
        RunFold fold = new RunFold(scope);
        for (Step step : live) {
            if (step.key().startsWith(scope)) {
                long created = step.times().created().toEpochMilli();
                fold.add(new FoldRow(step.key(), false, step.state(), created, Optional.empty(), created));
            }
        }
        return fold;
    }

    Optional<LoopFold> find(String loop) {
        return Optional.ofNullable(loops.get(loop));
    }

    /** The loops with so many iterations that they are folded. */
    List<LoopFold> folded() {
        return loops.values().stream().filter(LoopFold::isFolded).toList();
    }

    /** Number of iterations for which there is room in memory. */
    int kept() {
        return kept;
    }

    void addAll(Collection<FoldRow> rows) {
        rows.forEach(this::add);
    }

    /** Adds a row. Those of other iterations must be left out. */
    void add(FoldRow row) {
        String key = row.key();
        int end = row.markAt();
        int open = key.indexOf('[', scopeLength);
        while (open >= 0 && open < end) {
            int close = key.indexOf(']', open);
            int number = LoopKeys.number(key, open, close);
            if (close < 0) {
                return;
            }
            if (number >= 0) {
                add(row, key.substring(0, open), number, close == end - 1);
                if (number >= LoopKeys.INLINE_ITERATIONS_MAX) {
                    return;
                }
            }
            open = key.indexOf('[', close);
        }
        if (row.isReset() && key.endsWith("#redo")) {
            clearAt(key.substring(0, end));
        }
    }

    private void add(FoldRow row, String key, int number, boolean isWhole) {
        LoopFold loop = loops.get(key);
        if (loop == null) {
            if (loops.size() >= LOOPS_MAX) {
                return;
            }
            loop = new LoopFold(key);
            loops.put(key, loop);
            kept += loop.kept();
            if (isDropped) {
                drop(loop);
            }
        }
        int before = loop.kept();
        if (row.isReset()) {
            loop.reset(number);
        } else {
            loop.add(number, isWhole, row);
        }
        kept += loop.kept() - before;
        if (kept > ITERATIONS_MAX) {
            isDropped = true;
            loops.values().forEach(this::drop);
        }
    }

    private void drop(LoopFold loop) {
        kept -= loop.kept();
        loop.drop();
    }

    private void clearAt(String step) {
        for (LoopFold loop : loops.values()) {
            String key = loop.key();
            if (key.startsWith(step)
                    && (key.length() == step.length() || ".[".indexOf(key.charAt(step.length())) >= 0)) {
                loop.clear();
            }
        }
    }
}
