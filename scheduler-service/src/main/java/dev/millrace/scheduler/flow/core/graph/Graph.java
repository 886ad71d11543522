package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A compiled list of steps, as the flow machine traverses it.
 *
 * @param nodes in the order of the definition
 * @param byId position of each step id
 * @param roots positions of the nodes that need no other node
 * @param output result of the list; if absent, the result of the last node
 * @param single whether the list has one node, which shares the key of its iteration
 * @param slots results of steps inside the branches of this list that are read outside those branches; slot {@code i}
 *     has the place {@code nodes.size() + i}
 * @param slotById place of each slot by step id
 * @param plain whether all expressions and checks of this list are plain, not counting nested lists
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
     * A result that is read outside the branch of its step.
     *
     * @param container position of the node that contains the step
     * @param readers how many nodes of the graph, including the output, read the result
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

    /** Place of the slot of a step; null if nothing outside its branch reads it. */
    public @Nullable Integer slot(String id) {
        return slotById.get(id);
    }

    public Slot slotAt(int place) {
        return slots.get(place - nodes.size());
    }

    public boolean isSlot(int place) {
        return place >= nodes.size();
    }

    /** The number of nodes and slots. */
    public int places() {
        return nodes.size() + slots.size();
    }

    public int readers(int place) {
        return isSlot(place) ? slotAt(place).readers() : node(place).readers();
    }

    /** Adds the ids of all steps, including those inside branches. */
    public void collectIds(Set<String> ids) {
        for (Node node : nodes) {
            ids.add(node.id());
            node.work().openLists().forEach(branch -> branch.collectIds(ids));
        }
    }

    /**
     * Returns whether a successful iteration results in the result of its last step, so that its rows need no row for
     * the iteration itself.
     */
    public boolean endsImplicitly() {
        return output.isEmpty() && !nodes.isEmpty() && nodes.stream().noneMatch(Node::mayStop);
    }

    /** Returns the nodes that need this one, directly or indirectly. */
    public Set<Integer> followers(int position) {
        return followers(position, _ -> true);
    }

    /** Returns the nodes that pass the test and need this one directly, or only through nodes that pass the test. */
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

    /** Returns whether a task in this list, at any depth, passes the test. */
    boolean anyTask(Predicate<TaskWork> test) {
        return anyNode(node -> node.work() instanceof TaskWork task && test.test(task));
    }

    /** The tasks in this list, at any depth. */
    Stream<TaskWork> tasks() {
        return nodes.stream()
                .flatMap(node -> Stream.concat(
                        TaskWork.in(node), node.work().lists().stream().flatMap(Graph::tasks)));
    }

    /** Returns whether all expressions and checks of inputs are plain, at any depth. */
    boolean isPlain() {
        return plain
                && nodes.stream().flatMap(node -> node.work().lists().stream()).allMatch(Graph::isPlain);
    }

    /** Returns whether a node in this list, at any depth, passes the test. */
    boolean anyNode(Predicate<Node> test) {
        return nodes.stream()
                .anyMatch(
                        node -> test.test(node) || node.work().lists().stream().anyMatch(list -> list.anyNode(test)));
    }

    public Node node(int position) {
        return nodes.get(position);
    }
}
