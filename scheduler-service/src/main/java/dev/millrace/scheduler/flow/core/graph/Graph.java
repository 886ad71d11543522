package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A list of steps as the machine walks it.
 *
 * @param nodes in the order of the definition
 * @param byId position of each id
 * @param roots nodes that need nothing
 * @param output what it results in; without it, the result of the last node
 * @param single whether its one node goes by the key of the iteration itself
 * @param slots steps inside branches of its nodes whose results are read from outside of them; slot {@code i} has the place {@code
 *     nodes.size() + i}
 * @param plain whether all its own expressions are plain, those of the lists inside it apart
 */
public record Graph(
        List<Node> nodes,
        Map<String, Integer> byId,
        List<Integer> roots,
        Optional<Template> output,
        boolean single,
        List<Slot> slots,
        Map<String, Integer> slotById,
        boolean plain) {

    /**
     * A result that leaves its branch.
     *
     * @param container position of the node inside of which the step stands
     * @param readers how many nodes of the graph, the output included, read it
     */
    public record Slot(String id, int container, int readers) {}

    public int position(String id) {
        Integer position = byId.get(id);
        if (position == null) {
            throw new IllegalArgumentException("The flow has no step \"" + id + "\" here; its steps are "
                    + byId.keySet() + ". The journal belongs to another version.");
        }
        return position;
    }

    /** Place of the slot of a step; null where nothing outside reads it. */
    public @Nullable Integer slot(String id) {
        return slotById.get(id);
    }

    /** The slot at a place. */
    public Slot slotAt(int place) {
        return slots.get(place - nodes.size());
    }

    public boolean isSlot(int place) {
        return place >= nodes.size();
    }

    /** Nodes and slots. */
    public int places() {
        return nodes.size() + slots.size();
    }

    public int readers(int place) {
        return isSlot(place) ? slotAt(place).readers() : node(place).readers();
    }

    /** The ids of its steps, those inside their branches included. */
    public void collectIds(Set<String> ids) {
        for (Node node : nodes) {
            ids.add(node.id());
            node.work().openLists().forEach(branch -> branch.collectIds(ids));
        }
    }

    /** Whether an iteration of it that ends well results in what its last step does; its rows tell all then. */
    public boolean endsImplicitly() {
        return output.isEmpty() && !nodes.isEmpty() && nodes.stream().noneMatch(Node::mayStop);
    }

    /** The nodes that need this one, directly or not. */
    public Set<Integer> followers(int position) {
        return followers(position, _ -> true);
    }

    /** Those of them that need it directly or through such nodes only, and are such themselves. */
    Set<Integer> followers(int position, Predicate<Node> test) {
        Set<Integer> found = new HashSet<>();
        List<Integer> toVisit = new ArrayList<>(node(position).successors());
        while (!toVisit.isEmpty()) {
            int next = toVisit.removeLast();
            if (test.test(node(next)) && found.add(next)) {
                toVisit.addAll(node(next).successors());
            }
        }
        return found;
    }

    /** Whether a task in it, however deep inside, is such a one. */
    boolean anyTask(Predicate<TaskWork> test) {
        return anyNode(node -> node.work() instanceof TaskWork task && test.test(task));
    }

    /** Whether all expressions in it, however deep inside, are plain. */
    boolean isPlain() {
        return plain
                && nodes.stream().flatMap(node -> node.work().lists().stream()).allMatch(Graph::isPlain);
    }

    /** Whether a step in it, however deep inside, is such a one. */
    boolean anyNode(Predicate<Node> test) {
        return nodes.stream()
                .anyMatch(
                        node -> test.test(node) || node.work().lists().stream().anyMatch(list -> list.anyNode(test)));
    }

    public Node node(int position) {
        return nodes.get(position);
    }
}
