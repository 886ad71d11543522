package dev.millrace.scheduler.eventtrigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChainsTest {
    private static final RunId OTHER = new RunId(new UUID(0, 1));

    @Test
    void runsThatFollowFromOneAnotherAreBoundedInNumber() {
        assertThat(follow(5)).isEqualTo(Chains.RUNS_MAX);
        assertThat(follow(100)).isEqualTo(Chains.RUNS_MAX);
    }

    @Test
    void aLoopIsBoundedInLength() {
        assertThat(follow(1)).isEqualTo(Chains.LENGTH_MAX);
    }

    @Test
    void eachRunThatTheEventOfSomethingElseStartsBeginsAChain() {
        Chains chains = new Chains(Map.of(), Map.of());

        for (int number = 0; number < 2 * Chains.RUNS_MAX; number++) {
            RunId started = new RunId(new UUID(1, number));
            assertThat(chains.refusal(Optional.of(OTHER))).isEmpty();
            assertThat(chains.add(Optional.of(OTHER), started)).isEqualTo(new Chains.Link(started, 1));
            assertThat(chains.refusal(Optional.empty())).isEmpty();
            assertThat(chains.add(Optional.empty(), started).depth()).isEqualTo(1);
        }
    }

    @Test
    void whatWasStartedBeforeCounts() {
        RunId first = new RunId(new UUID(2, 0));
        RunId last = new RunId(new UUID(2, 1));
        Chains chains = new Chains(Map.of(last, new Chains.Link(first, 2)), Map.of(first, Chains.RUNS_MAX));

        assertThat(chains.refusal(Optional.of(last)).orElseThrow()).contains("1000", first.toString());
    }

    /** The number of runs of one chain if the end of each run starts so many others. */
    private static int follow(int width) {
        Map<RunId, Chains.Link> links = new HashMap<>();
        Chains chains = new Chains(links, Map.of());
        Queue<RunId> ended = new ArrayDeque<>();
        RunId first = new RunId(new UUID(3, 0));
        links.put(first, chains.add(Optional.of(OTHER), first));
        ended.add(first);
        int started = 1;
        while (!ended.isEmpty()) {
            RunId run = ended.remove();
            for (int number = 0;
                    number < width && chains.refusal(Optional.of(run)).isEmpty();
                    number++) {
                RunId next = new RunId(new UUID(3, started++));
                links.put(next, chains.add(Optional.of(run), next));
                ended.add(next);
            }
        }
        return started;
    }
}
