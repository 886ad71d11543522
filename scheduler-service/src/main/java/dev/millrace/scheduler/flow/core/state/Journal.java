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

/** The rows of a run, put into the only order the fold needs: containers before what is inside, beginnings before ends. */
public final class Journal {
    private static final int ROWS_PER_LEVEL = 4;

    /** Begins again: the moments at which steps did. */
    private final Map<String, List<JobId>> resets = new HashMap<>();

    /** Resets that tell which attempt they have brought about. */
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

    /** What counts. */
    public List<FinishedStep> rows() {
        List<FinishedStep> ordered = new ArrayList<>();
        levels.values().forEach(ordered::addAll);
        return ordered;
    }

    /** What steps that began again have done to variables stays done. */
    List<FinishedStep> voidChangesOfVariables() {
        return changesOfVariables;
    }

    /** How often steps began again, where nothing around them did so since. */
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

    /** Which further attempt steps are at, where nothing around them began again since. */
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

    /** The end of an iteration comes before what is inside of it, and that of a container before its iterations. */
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
