package dev.millrace.scheduler.flow.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A step that has not begun, because it needs others that have not ended. What is live alone tells which steps these are: as soon as all that
 * a step needs has ended it begins, so that each of them comes, by whatever steps, after one that is live. A
 * step that may begin early is not among them, nor is what needs it: whether it has begun, the live steps do not tell.
 *
 * @param needs the steps that it needs and that have not ended
 */
public record NotBegun(StepKey step, List<StepKey> needs) {
    public NotBegun {
        requireNonNull(step, "step");
        needs = List.copyOf(needs);
    }

    /** Steps of one list that are in progress. */
    private record LiveList(Graph graph, String path, Set<Integer> live) {
        StepKey key(int position) {
            String id = graph.node(position).id();
            return new StepKey(graph.single() ? path : path.isEmpty() ? id : path + "." + id);
        }

        List<NotBegun> notBegun() {
            Set<Integer> waiting = new TreeSet<>();
            live.forEach(position -> waiting.addAll(
                    graph.followers(position, node -> node.policy().beginIf().isEmpty())));
            Set<Integer> unended = new TreeSet<>(waiting);
            unended.addAll(live);
            List<NotBegun> found = new ArrayList<>();
            for (int position : waiting) {
                List<StepKey> needs = unended.stream()
                        .filter(need -> graph.node(need).successors().contains(position))
                        .map(this::key)
                        .toList();
                found.add(new NotBegun(key(position), needs));
            }
            return found;
        }
    }

    /**
     * The steps of a run that have not begun, in the lists of which a step is live.
     *
     * @param live keys of all that is in the queue, those of waits around steps included
     */
    public static List<NotBegun> of(FlowModel model, Collection<StepKey> live) {
        Map<String, LiveList> lists = new LinkedHashMap<>();
        for (StepKey key : live) {
            String failure = StepKey.FAILURE.text();
            if (key.text().startsWith(failure + ".")) {
                StepKey below = new StepKey(key.text().substring(failure.length() + 1));
                model.onFailure().ifPresent(graph -> collect(graph, failure, new KeyReader(below), lists));
            } else {
                collect(model.graph(), "", new KeyReader(key), lists);
            }
        }
        return lists.values().stream()
                .flatMap(list -> list.notBegun().stream())
                .filter(step -> !KeyReader.isMade(step.step()))
                .toList();
    }

    private static void collect(Graph flow, String prefix, KeyReader reader, Map<String, LiveList> lists) {
        Graph graph = flow;
        String path = prefix;
        while (true) {
            int position = graph.single() ? 0 : graph.position(reader.id());
            LiveList list = new LiveList(graph, path, new TreeSet<>());
            lists.putIfAbsent(path, list);
            lists.getOrDefault(path, list).live().add(position);
            if (reader.atEnd()) {
                return;
            }
            path = list.key(position).text();
            Node node = graph.node(position);
            if (node.work() instanceof Node.Fan fan) {
                int number = reader.iteration();
                path += "[" + number + "]";
                graph = fan.graph(number);
                if (reader.atEnd() && !graph.single()) {
                    return;
                }
            } else {
                Graph inside = KeyWalk.find(node, reader.copy().id());
                if (inside == null || isAmbiguous(node, reader.copy().id())) {
                    return;
                }
                graph = inside;
            }
        }
    }

    /** Whether several branches have a step of this id, so that the key does not tell which of them runs. */
    private static boolean isAmbiguous(Node node, String id) {
        return node.branches().stream()
                        .filter(branch -> branch.byId().containsKey(id))
                        .count()
                > 1;
    }
}
