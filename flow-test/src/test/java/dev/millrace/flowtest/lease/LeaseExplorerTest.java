package dev.millrace.flowtest.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tries every order of steps: no attempt begins twice, no stream sends a lease twice or after its end, and from every state
 * the leases in memory, in the database and on the worker come to agree.
 */
class LeaseExplorerTest {
    /** Fewer states would mean that a scope has lost what it is about. */
    private static final int STATES_MIN = 50;

    private static final int NO_LIMIT = Integer.MAX_VALUE;
    private static final int DEPTH_AT_NIGHT = 15;
    private static final int STATES_AT_NIGHT_MIN = 10_000;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLeaseIsSettledDuringAResync(boolean isOfFirstLane) {
        check(new Scope(1, 0, 0, 1, 0, isOfFirstLane));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRunIsCanceledDuringAResync(boolean isOfFirstLane) {
        check(new Scope(1, 0, 1, 1, 0, isOfFirstLane));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJobIsReturnedAndLeasedAgainDuringAResync(boolean isOfFirstLane) {
        check(new Scope(2, 0, 0, 1, 1, isOfFirstLane));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStreamIsCutAtAnyTime(boolean isOfFirstLane) {
        check(new Scope(1, 1, 0, 0, 0, isOfFirstLane));
    }

    @ParameterizedTest
    @MethodSource("allTogether")
    @Tag("nightly")
    void everythingComesTogether(boolean isOfFirstLane, Guards guards) {
        int states = explore(new Scope(2, 2, 1, 1, 1, isOfFirstLane), guards, DEPTH_AT_NIGHT);

        System.out.println("LeaseExplorerTest: " + states + " states");
        assertThat(states).isGreaterThan(STATES_AT_NIGHT_MIN);
    }

    private static Stream<Arguments> allTogether() {
        return Stream.of(true, false)
                .flatMap(lane -> Stream.of(Guards.ALL, Guards.SCHEDULER_ALONE, Guards.WORKER_ALONE)
                        .map(guards -> Arguments.of(lane, guards)));
    }

    @Test
    void findsTheResyncThatSendsASettledLeaseAgain() {
        Guards without = new Guards(false, true, false);

        assertThatThrownBy(() -> explore(new Scope(1, 0, 0, 1, 0, false), without, NO_LIMIT))
                .hasMessageContaining("the attempt began twice");
    }

    @Test
    void findsTheLaneThatSendsALeaseAfterItsEnd() {
        Guards without = new Guards(true, false, false);

        assertThatThrownBy(() -> explore(new Scope(1, 0, 0, 1, 0, true), without, NO_LIMIT))
                .hasMessageContaining("the attempt began twice");
    }

    /** Either side alone keeps the promise. */
    private static void check(Scope scope) {
        for (Guards guards : List.of(Guards.ALL, Guards.SCHEDULER_ALONE, Guards.WORKER_ALONE)) {
            assertThat(explore(scope, guards, NO_LIMIT)).isGreaterThan(STATES_MIN);
        }
    }

    /** Returns the number of states within this many steps. */
    private static int explore(Scope scope, Guards guards, int depth) {
        Set<String> seen = new HashSet<>();
        Deque<int[]> open = new ArrayDeque<>(List.of(new int[0]));
        while (!open.isEmpty()) {
            int[] path = open.remove();
            int choices;
            try {
                LeaseWorld world = replay(new LeaseWorld(scope, guards), path);
                if (!seen.add(world.digest())) {
                    continue;
                }
                choices = path.length >= depth ? 0 : world.steps().size();
                if (guards.areInScheduler()) {
                    world.settleDown();
                }
            } catch (BrokenPromise broken) {
                throw new AssertionError(
                        broken.getMessage() + " after" + names(new LeaseWorld(scope, guards), path), broken);
            }
            IntStream.range(0, choices).forEach(choice -> open.add(longer(path, choice)));
        }
        return seen.size();
    }

    private static LeaseWorld replay(LeaseWorld world, int[] path) {
        for (int choice : path) {
            world.steps().get(choice).action().run();
        }
        return world;
    }

    private static String names(LeaseWorld world, int[] path) {
        StringBuilder names = new StringBuilder();
        for (int choice : path) {
            LeaseWorld.Step step = world.steps().get(choice);
            names.append("\n  ").append(step.name().get());
            try {
                step.action().run();
            } catch (BrokenPromise last) {
                break;
            }
        }
        return names.toString();
    }

    private static int[] longer(int[] path, int choice) {
        int[] longer = Arrays.copyOf(path, path.length + 1);
        longer[path.length] = choice;
        return longer;
    }
}
