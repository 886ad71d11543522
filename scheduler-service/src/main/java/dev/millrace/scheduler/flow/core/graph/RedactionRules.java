package dev.millrace.scheduler.flow.core.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the steps of a flow of which nothing is to be kept after the run, as regular expressions for their keys. */
final class RedactionRules {
    private static final String ITERATION = "\\[[0-9]+\\]";

    private final List<String> keys = new ArrayList<>();

    private RedactionRules() {}

    static List<String> of(Graph flow, Optional<Graph> onFailure) {
        RedactionRules erasures = new RedactionRules();
        erasures.inside(flow, "");
        onFailure.ifPresent(steps -> erasures.inside(steps, StepKey.FAILURE.text()));
        return List.copyOf(erasures.keys);
    }

    private void inside(Graph list, String path) {
        for (Node node : list.nodes()) {
            String key = list.single() ? path : path.isEmpty() ? node.id() : path + "\\." + node.id();
            switch (node.work()) {
                case Node.Task task -> {
                    if (task.deleteAfterUse()) {
                        keys.add("^" + key + "$");
                    }
                }
                case Node.ForEach loop -> inside(loop.body(), key + ITERATION);
                case Node.While loop -> inside(loop.body(), key + ITERATION);
                case Node.Parallel parallel -> {
                    for (int branch = 0; branch < parallel.branches().size(); branch++) {
                        inside(parallel.graph(branch), key + "\\[" + branch + "\\]");
                    }
                }
                case Node.Switch choice -> choice.branches().forEach(branch -> inside(branch, key));
                case Node.SubFlow flow -> inside(flow.graph(), key);
                case Node.Wait _,
                        Node.RunStart _,
                        Node.ChildRun _,
                        Node.Compute _,
                        Node.SetVariables _,
                        Node.Terminate _ -> {}
            }
        }
    }
}
