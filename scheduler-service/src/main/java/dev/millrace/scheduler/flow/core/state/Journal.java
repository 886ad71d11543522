package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.KeyReader;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rows of a run in the order that the fold needs: containers before their content, beginnings before ends. */
public final class Journal {
    private static final int ROWS_PER_LEVEL = 4;

    /** For each step that began again: the ids of its resets, which tell when. */
    private final Map<String, List<JobId>> resets = new HashMap<>();

    /** Resets that record the attempt they led to. */
    private final List<FinishedStep> retries = new ArrayList<>();

    private final SortedMap<Integer, List<FinishedStep>> levels = new TreeMap<>();
    private final List<FinishedStep> changesOfVariables = new ArrayList<>();

    public Journal(Iterable<FinishedStep> all) {
        List<FinishedStep> rows = RedoneRows.without(all);
        RedoneRows.retries(all).forEach(retries::add);
        for (FinishedStep row : rows) {
            if (row.kind() == JobKind.RESET) {
                resets.computeIfAbsent(row.key().text(), _ -> new ArrayList<>()).add(row.id());
                retries.add(row);
            }
        }
        for (FinishedStep row : rows) {
            if (row.kind() != JobKind.RESET && !isVoid(row)) {
                levels.computeIfAbsent(level(row.key()), _ -> new ArrayList<>()).add(row);
            } else if (row.kind() == JobKind.SET_VARIABLES) {
                changesOfVariables.add(row);
            }
        }
    }

    /** The rows that count, in order. */
    public List<FinishedStep> rows() {
        List<FinishedStep> ordered = new ArrayList<>();
        levels.values().forEach(ordered::addAll);
        return ordered;
    }

    /** Rows of variable changes by steps that began again. The changes remain in effect. */
    List<FinishedStep> voidChangesOfVariables() {
        return changesOfVariables;
    }

    /** Returns how often each step began again since the last reset of anything around it. */
    Map<StepKey, Integer> resets() {
        Map<StepKey, Integer> times = new HashMap<>();
        resets.forEach((key, ids) -> {
            int counted =
                    (int) ids.stream().filter(id -> !isVoidedAround(key, id)).count();
            if (counted > 0) {
                times.put(new StepKey(key), counted);
            }
        });
        return times;
    }

    /** Returns the latest retry of each step since the last reset of anything around it. */
    public Map<StepKey, Retry> retries() {
        Map<StepKey, Retry> latest = new HashMap<>();
        for (FinishedStep row : retries) {
            if (row.outcome() instanceof Outcome.Succeeded(Json told)
                    && !isVoidedAround(row.key().step().text(), row.id())) {
                Retry.read(told)
                        .ifPresent(retry -> latest.merge(
                                row.key().step(), retry, (one, other) -> one.number() > other.number() ? one : other));
            }
        }
        return latest;
    }

    private boolean isVoid(FinishedStep row) {
        if (resets.isEmpty()) {
            return false;
        }
        String key = row.key().step().text();
        return isVoidedAt(key, row.id()) || isVoidedAround(key, row.id());
    }

    private boolean isVoidedAround(String key, JobId id) {
        for (int end = 1; end < key.length(); end++) {
            char c = key.charAt(end);
            if ((c == '.' || c == '[') && isVoidedAt(key.substring(0, end), id)) {
                return true;
            }
        }
        return false;
    }

    private boolean isVoidedAt(String key, JobId id) {
        List<JobId> found = resets.get(key);
        return found != null && found.stream().anyMatch(reset -> reset.compareTo(id) > 0);
    }

    /**
     * Orders rows: a container's end before the ends of its iterations, an iteration's end before the rows inside it.
     */
    private static int level(StepKey key) {
        if (key.step().equals(StepKey.FAILURE)) {
            return Integer.MIN_VALUE;
        }
        int depth = ROWS_PER_LEVEL * KeyReader.depth(key);
        if (key.isOpening()) {
            return depth;
        }
        return key.isIteration() ? depth - 1 : depth + 1;
    }
}
