package dev.millrace.scheduler.expression.evaluator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns<String> turns = new Turns<>();

    @Test
    void oneRunWithManyDoesNotDelayAnothersFirst() {
        for (int i = 0; i < 1_000; i++) {
            add("w", "greedy", "g" + i);
        }
        add("w", "modest", "m0");

        assertThat(taken(3)).containsExactly("g0", "m0", "g1");
        assertThat(turns.size()).isEqualTo(998);
    }

    @Test
    void aWorkspaceWithManyRunsDoesNotDelayAnothersFirst() {
        for (int i = 0; i < 100; i++) {
            add("greedy", "run" + i, "g" + i);
        }
        add("modest", "run", "m0");
        add("modest", "run", "m1");

        assertThat(taken(5)).containsExactly("g0", "m0", "g1", "m1", "g2");
    }

    @Test
    void thoseOfOneRunKeepTheirOrder() {
        add("w", "a", "a0");
        add("w", "a", "a1");
        add("w", "b", "b0");
        add("w", "a", "a2");

        assertThat(taken(4)).containsExactly("a0", "b0", "a1", "a2");
        assertThat(turns.poll()).isEmpty();
    }

    @Test
    void whoHasLeftIsNotTaken() {
        add("w", "a", "a0");
        add("w", "a", "a1");

        assertThat(turns.remove(owner("w", "a"), "a0")).isTrue();
        assertThat(turns.remove(owner("w", "a"), "a0")).isFalse();
        assertThat(turns.poll()).isEqualTo(Optional.of("a1"));
        assertThat(turns.remove(owner("w", "a"), "a1")).isFalse();
        assertThat(turns.size()).isZero();
    }

    private static EvaluationOwner owner(String workspace, String run) {
        return new EvaluationOwner(Optional.of(Workspace.of(workspace)), run);
    }

    private void add(String workspace, String run, String waiting) {
        turns.add(owner(workspace, run), waiting);
    }

    private List<String> taken(int count) {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            turns.poll().ifPresent(taken::add);
        }
        return taken;
    }
}
