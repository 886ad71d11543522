package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.graph.Fan;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Graph;
import dev.millrace.scheduler.flow.core.graph.KeyWalk;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the steps that keep a run from continuing: those that failed or were canceled, unless something around them
 * tolerates that.
 */
final class FailedSteps {
    private final FlowModel model;
    private final List<FinishedStep> rows;
    private final Map<StepKey, Outcome> ends = new HashMap<>();
    /** Results of the rows with which containers opened; for loops, these are their items. */
    private final Map<StepKey, JsonValue> openings = new HashMap<>();

    /**
     * Reads the history.
     *
     * @param rows the rows that count
     */
    FailedSteps(FlowModel model, List<FinishedStep> rows) {
        this.model = model;
        this.rows = rows;
        for (FinishedStep row : rows) {
            if (row.key().mark().isEmpty()) {
                ends.put(row.key(), row.outcome());
            } else if (row.key().isOpening()) {
                openings.put(
                        row.key().step(),
                        row.outcome() instanceof Outcome.Succeeded(Json opening)
                                ? JsonValue.of(opening)
                                : JsonValue.NULL);
            }
        }
    }

    /**
     * Returns the resets that are necessary to redo these steps. A container continues if something inside it failed,
     * or if it was canceled; a container that failed by itself begins again.
     */
    Set<StepKey> resets() {
        Set<StepKey> failed = new HashSet<>();
        Set<StepKey> around = new HashSet<>();
        Set<StepKey> resets = new HashSet<>();
        for (FinishedStep row : rows) {
            if (row.key().text().startsWith(StepKey.FAILURE.text())) {
                resets.add(StepKey.FAILURE.with(StepKey.Mark.REDO));
            } else if (blocksTheRun(row)) {
                failed.add(row.key().step());
                around.addAll(row.key().step().around());
            }
        }
        for (StepKey key : failed) {
            boolean continues =
                    openings.containsKey(key) && (around.contains(key) || ends.get(key) instanceof Outcome.Canceled);
            resets.add(key.with(continues ? StepKey.Mark.REOPEN : StepKey.Mark.REDO));
            addFollowers(key, resets);
        }
        return resets;
    }

    private boolean blocksTheRun(FinishedStep row) {
        StepKey key = row.key();
        boolean tellsAnEnd =
                !key.isOpening() && key.mark().filter(StepKey.Mark::isWait).isEmpty();
        return tellsAnEnd
                && !(key.mark().isEmpty() ? isOver(key, row.outcome()) : isSuccess(row.outcome()))
                && key.step().around().stream().noneMatch(this::isOver);
    }

    private boolean isOver(StepKey key) {
        Outcome end = ends.get(key);
        return end != null && isOver(key, end);
    }

    /** Returns whether the list around the step continued after this end. */
    private boolean isOver(StepKey key, Outcome end) {
        return isSuccess(end) || (end instanceof Outcome.Failed && isTolerated(key));
    }

    private static boolean isSuccess(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded _, Outcome.Skipped _ -> true;
            case Outcome.Failed _, Outcome.Canceled _ -> false;
        };
    }

    private boolean isTolerated(StepKey key) {
        KeyWalk walk = model.walk(key);
        if (walk.list().single()) {
            StepKey loop = key.around().getFirst();
            int iteration = walk.order().get(walk.order().size() - 2);
            if (model.walk(loop).node().work() instanceof Fan fan
                    && fan.skipsFailure(iteration, item(loop, iteration))) {
                return true;
            }
        }
        return isStep(key, walk) && walk.node().policy().onFailure() == StepPolicy.OnFailure.CONTINUE;
    }

    private JsonValue item(StepKey loop, int iteration) {
        JsonValue items = openings.getOrDefault(loop, JsonValue.NULL);
        return items.kind() == JsonValue.Kind.ARRAY ? items.elements().get(iteration) : JsonValue.NULL;
    }

    /**
     * Adds steps that continued after a failure that their list deferred to its end. The same applies to canceled
     * steps, which may fail when they are redone.
     */
    private void addFollowers(StepKey key, Set<StepKey> resets) {
        KeyWalk walk = model.walk(key);
        if (!isStep(key, walk) || walk.node().policy().onFailure() == StepPolicy.OnFailure.FAIL) {
            return;
        }
        Graph list = walk.list();
        if (!list.single()) {
            list.followers(list.position(walk.node().id()))
                    .forEach(follower ->
                            resets.add(key.sibling(list.node(follower).id()).with(StepKey.Mark.REDO)));
        }
        List<StepKey> iterations = new ArrayList<>(key.around());
        iterations.add(key);
        iterations.stream().filter(StepKey::isIteration).forEach(iteration -> addLater(iteration, resets));
    }

    /** Adds the iterations after this one, if the loop is sequential. */
    private void addLater(StepKey iteration, Set<StepKey> resets) {
        String text = iteration.text();
        String loop = text.substring(0, text.lastIndexOf('[') + 1);
        int index = index(text, loop.length());
        boolean isSequential = model.walk(new StepKey(loop.substring(0, loop.length() - 1)))
                                .node()
                                .work()
                        instanceof Fan fan
                && fan.isSequentialLoop();
        if (!isSequential) {
            return;
        }
        for (FinishedStep row : rows) {
            String other = row.key().step().text();
            if (other.startsWith(loop) && index(other, loop.length()) > index) {
                resets.add(new StepKey(loop + index(other, loop.length()) + "]").with(StepKey.Mark.REDO));
            }
        }
    }

    private static int index(String key, int from) {
        return Integer.parseInt(key.substring(from, key.indexOf(']', from)));
    }

    /** Returns whether the key is that of the step rather than that of one of its iterations. */
    private static boolean isStep(StepKey key, KeyWalk walk) {
        return !key.isIteration() || walk.list().single();
    }
}
