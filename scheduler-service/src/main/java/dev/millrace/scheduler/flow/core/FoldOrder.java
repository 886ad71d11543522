package dev.millrace.scheduler.flow.core;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts rows into the only order the fold needs: containers before what is inside, beginnings before ends. */
final class FoldOrder {
    private FoldOrder() {}

    static List<FinishedStep> outsideIn(Iterable<FinishedStep> rows) {
        SortedMap<Integer, List<FinishedStep>> levels = new TreeMap<>();
        for (FinishedStep row : rows) {
            int level = 2 * KeyReader.depth(row.key()) + (row.key().isOpening() ? 0 : 1);
            levels.computeIfAbsent(level, _ -> new ArrayList<>()).add(row);
        }
        List<FinishedStep> ordered = new ArrayList<>();
        levels.values().forEach(ordered::addAll);
        return ordered;
    }
}
