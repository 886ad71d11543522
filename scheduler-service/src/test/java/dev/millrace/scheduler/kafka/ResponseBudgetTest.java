package dev.millrace.scheduler.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.kafka.ResponseBudget;
import dev.millrace.kafka.ResponseLimit;
import org.junit.jupiter.api.Test;

/** Tests of what consumers hold together of what brokers send. */
class ResponseBudgetTest {
    private static final int LARGE = 1 << 20;

    private final ResponseBudget budget = new ResponseBudget(2 * LARGE);
    private final ResponseLimit one = new ResponseLimit(8 * LARGE, budget);
    private final ResponseLimit other = new ResponseLimit(8 * LARGE, budget);

    @Test
    void readsLaterWhatHasNoRoom() {
        assertThat(one.tryAllocate(LARGE)).isNotNull();
        assertThat(other.tryAllocate(LARGE)).isNotNull();
        assertThat(other.tryAllocate(LARGE)).isNull();
        assertThat(other.isOutOfMemory()).isTrue();
        assertThat(other.tryAllocate(100)).as("small responses").isNotNull();

        one.giveBack(one.held());

        assertThat(one.isOutOfMemory()).isFalse();
        assertThat(other.tryAllocate(LARGE)).isNotNull();
        one.close();
        other.close();
        assertThat(budget.held()).isZero();
    }

    @Test
    void readsAloneWhatIsLargerThanTheBudget() {
        assertThat(one.tryAllocate(4 * LARGE)).isNotNull();
        assertThat(other.tryAllocate(4 * LARGE)).isNull();

        one.giveBack(one.held());

        assertThat(other.tryAllocate(4 * LARGE)).isNotNull();
    }
}
