package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A list while it is checked: what a step of it can see. */
final class Level {
    static final int AMBIGUOUS = -1;

    private final ListDraft list;
    private final @Nullable Level outer;
    private final Map<String, Integer> byId = new HashMap<>();
    /** Where each step inside a branch stands: the position of its container; {@link #AMBIGUOUS} where two go by the id. */
    private final Map<String, Integer> branchSteps = new HashMap<>();

    private final BitSet[] before;
    /** The step being checked; the number of steps stands for the output. */
    private int current;

    Level(ListDraft list, @Nullable Level outer) {
        this.list = list;
        this.outer = outer;
        this.before = new BitSet[list.steps().size()];
        for (int i = 0; i < list.steps().size(); i++) {
            noteBranches(list.steps().get(i), i);
        }
    }

    private void noteBranches(StepDraft step, int container) {
        for (ListDraft branch : step.branches()) {
            for (StepDraft inside : branch.steps()) {
                branchSteps.merge(inside.id(), container, (_, _) -> AMBIGUOUS);
                noteBranches(inside, container);
            }
        }
    }

    ListDraft list() {
        return list;
    }

    @Nullable Level outer() {
        return outer;
    }

    Map<String, Integer> byId() {
        return byId;
    }

    Map<String, Integer> branchSteps() {
        return branchSteps;
    }

    /** How many loops stand around. */
    int loops() {
        int loops = 0;
        for (Level level = this; level != null; level = level.outer) {
            if (level.list.kind() == ListKind.LOOP || level.list.kind() == ListKind.LOOP_OF_ONE) {
                loops++;
            }
        }
        return loops;
    }

    /** Whether the run has failed when these steps run. */
    boolean followsFailure() {
        for (Level level = this; level != null; level = level.outer) {
            if (level.list.kind() == ListKind.FAILURE) {
                return true;
            }
        }
        return false;
    }

    void enter(int step) {
        current = step;
    }

    /** Id of the step being checked; null for the output. */
    @Nullable String currentId() {
        return current < list.steps().size() ? list.steps().get(current).id() : null;
    }

    /** Notes which steps end before this one begins, those that its needs wait for included. */
    void waitsFor(int step, Iterable<Integer> needs) {
        BitSet all = new BitSet();
        for (int need : needs) {
            all.set(need);
            all.or(before[need]);
        }
        before[step] = all;
    }

    /** Whether a step has ended when the one being checked begins. */
    boolean endsBefore(int step) {
        return current >= before.length || before[current].get(step);
    }
}
