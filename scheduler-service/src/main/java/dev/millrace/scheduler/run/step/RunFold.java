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
    private final int scopeLength;
    private final Map<String, LoopFold> loops = new HashMap<>();

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

    /** Number of iterations in memory. */
    int size() {
        return loops.values().stream().mapToInt(LoopFold::size).sum();
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
                LoopFold loop = loops.computeIfAbsent(key.substring(0, open), LoopFold::new);
                if (row.isReset()) {
                    loop.reset(number);
                } else {
                    loop.add(number, close == end - 1, row);
                }
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
