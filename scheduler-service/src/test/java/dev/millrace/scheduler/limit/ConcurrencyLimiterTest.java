package dev.millrace.scheduler.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.runtime.EventBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConcurrencyLimiterTest {
    private static final Duration LEAST_SLEEP = Duration.ofSeconds(1);

    private final LimitedQueue queue = new LimitedQueue();
    private final List<String> claimable = new ArrayList<>();
    private final ConcurrencyLimiter keeper = new ConcurrencyLimiter(queue.database, new EventBus(), claimable::addAll);

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void sleepsWhereThereIsNoLine() throws InterruptedException {
        assertThat(keeper.runOnce()).isGreaterThan(LEAST_SLEEP);
        assertThat(keeper.awaitTold(Duration.ZERO)).isFalse();
    }

    @Test
    void movesALineAndSleeps() throws InterruptedException {
        queue.park("a", 1, 3, 0, 2, null, 0);

        assertThat(keeper.runOnce()).isGreaterThan(LEAST_SLEEP);

        assertThat(queue.released("a")).containsExactly(1L, 2L);
        assertThat(claimable).contains("handler:h");
        assertThat(keeper.awaitTold(Duration.ZERO)).isFalse();
    }

    @Test
    void wakesWhereItIsTold() throws InterruptedException {
        keeper.tell(List.of(LimitedQueue.line("a")));

        assertThat(keeper.awaitTold(Duration.ZERO)).isTrue();
    }
}
