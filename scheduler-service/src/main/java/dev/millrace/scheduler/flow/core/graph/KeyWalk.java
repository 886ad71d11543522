package dev.millrace.scheduler.flow.core.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * The location of a step in its flow, derived from its key alone, without the state of a run.
 *
 * @param list the list that contains the step
 * @param node the step; for an iteration or a branch, the step that contains it
 * @param order positions and iteration numbers from the outside in, for comparison
 */
public record KeyWalk(Graph list, Node node, List<Integer> order) {
    /** Finds a step. The branches of a switch may share ids; the first branch with the id counts. */
    static KeyWalk of(Graph flow, StepKey key) {
        KeyReader reader = new KeyReader(key);
        List<Integer> order = new ArrayList<>();
        Graph graph = flow;
        int base = 0;
        while (true) {
            int position = graph.single() ? 0 : graph.position(reader.id());
            Node node = graph.node(position);
            order.add(base + position);
            if (reader.atEnd()) {
                return new KeyWalk(graph, node, order);
            }
            base = 0;
            if (node.work() instanceof Fan fan) {
                int iteration = reader.iteration();
                order.add(iteration);
                Graph body = fan.graph(iteration);
                if (reader.atEnd() && !body.single()) {
                    return new KeyWalk(graph, node, order);
                }
                graph = body;
            } else {
                String id = reader.copy().id();
                base = node.work().offset(id);
                graph = inside(node, id, key);
            }
        }
    }

    private static Graph inside(Node node, String id, StepKey key) {
        Graph inside = node.work().find(id);
        if (inside == null) {
            throw new IllegalArgumentException("\"" + key
                    + "\" is inside a step that contains no others. The journal belongs to another version.");
        }
        return inside;
    }

    public static int compare(List<Integer> one, List<Integer> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int compared = Integer.compare(one.get(i), other.get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(one.size(), other.size());
    }
}
