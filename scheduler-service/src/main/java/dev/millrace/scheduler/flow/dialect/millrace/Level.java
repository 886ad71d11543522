package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A list during the checks, which knows what each of its steps can read. */
final class Level {
    static final int AMBIGUOUS = -1;

    private final ListDraft list;
    private final @Nullable Level outer;
    private final Map<String, Integer> byId = new HashMap<>();
    /**
     * The position of the container around each step inside a branch; {@link #AMBIGUOUS} if several steps have the id.
     */
    private final Map<String, Integer> branchSteps = new HashMap<>();

    private final BitSet[] before;
    /** Position of the step in the check; the number of steps stands for the output of the list. */
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

    /** Number of loops around the steps of this list. */
    int loops() {
        int loops = 0;
        for (Level level = this; level != null; level = level.outer) {
            if (level.list.kind() == ListKind.LOOP || level.list.kind() == ListKind.LOOP_OF_ONE) {
                loops++;
            }
        }
        return loops;
    }

    /** Whether the steps run after a failure of the flow. */
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

    /** Id of the step in the check; null for the output of the list. */
    @Nullable String currentId() {
        return current < list.steps().size() ? list.steps().get(current).id() : null;
    }

    /** Records which steps end before this step begins, directly or indirectly needed. */
    void waitsFor(int step, Iterable<Integer> needs) {
        BitSet all = new BitSet();
        for (int need : needs) {
            all.set(need);
            all.or(before[need]);
        }
        before[step] = all;
    }

    /** Whether a step waits for the step in the check, directly or indirectly. */
    boolean waitsForCurrent(int step) {
        return before[step].get(current);
    }

    /** Whether a step has ended when the step in the check begins. */
    boolean endsBefore(int step) {
        return current >= before.length || before[current].get(step);
    }
}
