package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.Fan;
import dev.millrace.scheduler.flow.core.graph.Graph;
import dev.millrace.scheduler.flow.core.graph.KeyReader;
import dev.millrace.scheduler.flow.core.graph.Node;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.SubFlowWork;
import dev.millrace.scheduler.flow.core.graph.SwitchWork;
import org.jspecify.annotations.Nullable;

/** The location in a state that a step key leads to. */
public sealed interface KeyLookup {
    /** A step in a list that is in progress. */
    record ToStep(Place place) implements KeyLookup {}

    /** An iteration or a branch of a container that is in progress. */
    record ToIteration(LoopState loop, int iteration) implements KeyLookup {}

    /**
     * A step inside something that has ended.
     *
     * @param node the step
     * @param last the innermost list on the way that is in progress
     * @param step position in that list of the step that contains the node
     * @param leaves whether the result of the node can be read in that list
     * @param changes whether the node can change variables there
     * @param near whether all containers in between are switches
     */
    record ToThePast(Node node, ScopeState last, int step, boolean leaves, boolean changes, boolean near)
            implements KeyLookup {
        /** Returns whether the early end with this mark applies to something around the part that has ended. */
        boolean reachesOut(StepKey.Mark mark) {
            return switch (mark) {
                case BREAK -> leaves;
                case END -> changes;
                case BRANCH, BRANCHES -> near;
                case OPEN, STOP, DELAY, HOLD, HELD, LIMIT, REDO, REOPEN -> false;
            };
        }
    }

    /** A key without effect, for example a step in a branch that is no longer the taken one. */
    record Nowhere() implements KeyLookup {}

    /** Follows a key through the state. Creates the scope of an iteration that has not begun. */
    static KeyLookup follow(ScopeState root, @Nullable ScopeState handler, StepKey key) {
        KeyReader reader = new KeyReader(key);
        ScopeState scope = root;
        if (key.text().startsWith(StepKey.FAILURE.text())) {
            reader.id();
            if (handler == null) {
                return new Nowhere();
            }
            scope = handler;
        }
        boolean chosen = false;
        while (true) {
            if (chosen && !scope.graph().byId().containsKey(reader.copy().id())) {
                return new Nowhere();
            }
            int step = scope.graph().single() ? 0 : scope.graph().position(reader.id());
            if (reader.atEnd()) {
                return new ToStep(new Place(scope, step));
            }
            ScopeState inner;
            switch (scope.state(step)) {
                case LoopState loop -> {
                    KeyReader ahead = reader.copy();
                    int iteration = ahead.iteration();
                    if (ahead.atEnd() && !loop.fan().graph(iteration).single()) {
                        return new ToIteration(loop, iteration);
                    }
                    inner = iteration(loop, iteration);
                    if (inner != null) {
                        reader.iteration();
                    }
                }
                case BranchState branch -> inner = branch.scope();
                case StepState.Ended _, StepState.Live _ -> inner = null;
                case null -> inner = null;
            }
            if (inner == null) {
                return past(scope, step, reader);
            }
            chosen = scope.graph().node(step).work() instanceof SwitchWork;
            scope = inner;
        }
    }

    private static @Nullable ScopeState iteration(LoopState loop, int iteration) {
        ScopeState known = loop.find(iteration);
        return known != null || loop.hasEnded(iteration) ? known : loop.newIteration(iteration);
    }

    private static KeyLookup past(ScopeState last, int step, KeyReader reader) {
        Node node = last.graph().node(step);
        boolean leaves = true;
        boolean changes = true;
        boolean near = true;
        while (!reader.atEnd()) {
            Graph graph;
            near &= node.work() instanceof SwitchWork;
            if (node.work() instanceof Fan fan) {
                graph = fan.graph(reader.iteration());
                leaves &= !fan.isLoop();
                if (reader.atEnd() && !graph.single()) {
                    return new Nowhere();
                }
            } else {
                graph = node.work().find(reader.copy().id());
                boolean subFlow = node.work() instanceof SubFlowWork;
                leaves &= !subFlow;
                changes &= !subFlow;
            }
            if (graph == null) {
                return new Nowhere();
            }
            node = graph.node(graph.single() ? 0 : graph.position(reader.id()));
        }
        return new ToThePast(node, last, step, leaves, changes, near);
    }
}
