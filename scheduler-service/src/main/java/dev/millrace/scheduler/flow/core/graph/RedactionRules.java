package dev.millrace.scheduler.flow.core.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the steps whose data is deleted after the run, as regular expressions for their keys. */
final class RedactionRules {
    private final List<String> keys = new ArrayList<>();

    private RedactionRules() {}

    static List<String> of(Graph flow, Optional<Graph> onFailure) {
        RedactionRules rules = new RedactionRules();
        rules.inside(flow, "");
        onFailure.ifPresent(steps -> rules.inside(steps, StepKey.FAILURE.text()));
        return List.copyOf(rules.keys);
    }

    private void inside(Graph list, String path) {
        for (Node node : list.nodes()) {
            String key = list.single() ? path : path.isEmpty() ? node.id() : path + "\\." + node.id();
            if (node.work().isErased()) {
                keys.add("^" + key + "$");
            }
            if (node.work() instanceof Container container) {
                container.visitLists(key, this::inside);
            }
        }
    }
}
