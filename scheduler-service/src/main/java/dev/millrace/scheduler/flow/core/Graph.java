package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.Template;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A list of steps as the machine walks it.
 *
 * @param nodes in the order of the definition
 * @param byId position of each id
 * @param roots nodes that need nothing
 * @param output what it results in; without it, the result of the last node
 * @param single whether its one node goes by the key of the iteration itself
 */
record Graph(
        List<Node> nodes, Map<String, Integer> byId, List<Integer> roots, Optional<Template> output, boolean single) {

    int position(String id) {
        Integer position = byId.get(id);
        if (position == null) {
            throw new IllegalArgumentException("The flow has no step \"" + id + "\" here; its steps are "
                    + byId.keySet() + ". The journal belongs to another version.");
        }
        return position;
    }

    Node node(int position) {
        return nodes.get(position);
    }
}
