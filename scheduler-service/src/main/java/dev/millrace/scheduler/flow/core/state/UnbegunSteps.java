package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.Fan;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Graph;
import dev.millrace.scheduler.flow.core.graph.KeyReader;
import dev.millrace.scheduler.flow.core.graph.Node;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the steps of a run that have not begun, in the lists that contain a live step.
 *
 * <p>The keys of live steps almost suffice: a step begins as soon as all steps it needs have ended. So each step that
 * has not begun follows a live step, directly or indirectly. Only steps that may begin early can have begun and ended
 * already, and the caller must look these up.
 */
public final class UnbegunSteps {
    /** Maximum number of steps that are counted. */
    public static final int COUNTED_MAX = 100_000;

    /**
     * The steps that have not begun.
     *
     * @param first the first of these steps, outer ones first
     * @param total number of these steps, counted up to {@link #COUNTED_MAX}
     */
    public record Found(List<NotBegun> first, int total) {
        /** No steps. */
        public static final Found NONE = new Found(List.of(), 0);

        public Found {
            first = List.copyOf(first);
        }
    }

    /** The live steps of one list. */
    private record LiveList(Graph graph, String path, Set<Integer> live) {
        StepKey key(int position) {
            String id = graph.node(position).id();
            return new StepKey(graph.single() ? path : path.isEmpty() ? id : path + "." + id);
        }

        /** Returns the steps that follow a live step and are neither live nor ended. */
        SortedSet<Integer> waiting(Set<StepKey> ended) {
            SortedSet<Integer> found = new TreeSet<>();
            Deque<Integer> toVisit = new ArrayDeque<>(live);
            while (!toVisit.isEmpty()) {
                for (int next : graph.node(toVisit.remove()).successors()) {
                    boolean isOver = mayBeginEarly(next) && ended.contains(key(next));
                    if (!isOver && !live.contains(next) && found.add(next)) {
                        toVisit.add(next);
                    }
                }
            }
            return found;
        }

        boolean mayBeginEarly(int position) {
            return graph.node(position).policy().beginIf().isPresent();
        }

        NotBegun notBegun(int position, SortedSet<Integer> waiting) {
            Set<Integer> unended = new TreeSet<>(waiting);
            unended.addAll(live);
            List<StepKey> needs = unended.stream()
                    .filter(need -> graph.node(need).successors().contains(position))
                    .map(this::key)
                    .toList();
            return new NotBegun(key(position), needs, mayBeginEarly(position));
        }
    }

    private final Map<String, LiveList> lists = new LinkedHashMap<>();

    private UnbegunSteps() {}

    /**
     * Searches the lists that contain a live step.
     *
     * @param live keys of all queue entries, including waits around steps
     */
    public static UnbegunSteps of(FlowModel model, Collection<StepKey> live) {
        UnbegunSteps steps = new UnbegunSteps();
        String failure = StepKey.FAILURE.text();
        for (StepKey key : live) {
            if (key.text().startsWith(failure + ".")) {
                StepKey below = new StepKey(key.text().substring(failure.length() + 1));
                model.onFailure().ifPresent(graph -> steps.collect(graph, failure, new KeyReader(below)));
            } else {
                steps.collect(model.graph(), "", new KeyReader(key));
            }
        }
        return steps;
    }

    /** Returns the steps whose history the caller must look up, because they may have ended. */
    public List<StepKey> perhapsEnded() {
        return lists.values().stream()
                .flatMap(list -> list.waiting(Set.of()).stream()
                        .filter(list::mayBeginEarly)
                        .map(list::key))
                .limit(COUNTED_MAX)
                .toList();
    }

    /**
     * Returns the steps that have ended according to history rows.
     *
     * @param rows the rows of the steps in question, and all resets
     */
    public static Set<StepKey> ended(Iterable<FinishedStep> rows) {
        return new Journal(rows)
                .rows().stream()
                        .map(FinishedStep::key)
                        .filter(key -> key.mark().isEmpty())
                        .collect(Collectors.toSet());
    }

    /**
     * Returns the steps that have not begun.
     *
     * @param ended the steps of {@link #perhapsEnded} that have ended
     * @param limit maximum number of steps to return
     */
    public Found find(Set<StepKey> ended, int limit) {
        List<NotBegun> first = new ArrayList<>();
        int total = 0;
        for (LiveList list : lists.values()) {
            SortedSet<Integer> waiting = list.waiting(ended);
            for (int position : waiting) {
                if (KeyReader.isMade(list.key(position))) {
                    continue;
                }
                if (total == COUNTED_MAX) {
                    return new Found(first, total);
                }
                total++;
                if (first.size() < limit) {
                    first.add(list.notBegun(position, waiting));
                }
            }
        }
        return new Found(first, total);
    }

    private void collect(Graph flow, String prefix, KeyReader reader) {
        Graph graph = flow;
        String path = prefix;
        while (true) {
            int position = graph.single() ? 0 : graph.position(reader.id());
            Graph inner = graph;
            LiveList list = lists.computeIfAbsent(path, at -> new LiveList(inner, at, new TreeSet<>()));
            list.live().add(position);
            if (reader.atEnd()) {
                return;
            }
            path = list.key(position).text();
            Node node = graph.node(position);
            if (node.work() instanceof Fan fan) {
                int number = reader.iteration();
                path += "[" + number + "]";
                graph = fan.graph(number);
                if (reader.atEnd() && !graph.single()) {
                    return;
                }
            } else {
                Graph inside = node.work().find(reader.copy().id());
                if (inside == null || isAmbiguous(node, reader.copy().id())) {
                    return;
                }
                graph = inside;
            }
        }
    }

    /**
     * Returns whether several branches have a step with this id, so that the key does not say which of them is running.
     */
    private static boolean isAmbiguous(Node node, String id) {
        return node.work().openLists().stream()
                        .filter(branch -> branch.byId().containsKey(id))
                        .count()
                > 1;
    }
}
