package dev.millrace.scheduler.flow.core;

import java.util.ArrayList;
import java.util.List;

/** Where a step stands in its flow, worked out from its key alone, without the state of a run. */
record KeyWalk(Node node, List<Integer> order) {
    /**
     * The node of a key, and positions and iterations from the outside in, for comparing. Branches of a switch may share ids; the
     * first that has the id stands for all.
     */
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
                return new KeyWalk(node, order);
            }
            base = 0;
            switch (node.work()) {
                case Node.Task _, Node.Wait _, Node.RunStart _, Node.Compute _, Node.Terminate _ ->
                    throw new IllegalArgumentException("\"" + key + "\" is inside a step that is no container");
                case Node.ForEach loop -> {
                    order.add(reader.iteration());
                    graph = loop.body();
                }
                case Node.Switch choice -> {
                    String inner = reader.copy().id();
                    for (Graph branch : choice.branches()) {
                        graph = branch;
                        if (branch.byId().containsKey(inner)) {
                            break;
                        }
                        base += branch.nodes().size();
                    }
                }
            }
        }
    }

    int compareTo(KeyWalk other) {
        for (int i = 0; i < Math.min(order.size(), other.order.size()); i++) {
            int compared = Integer.compare(order.get(i), other.order.get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(order.size(), other.order.size());
    }
}
