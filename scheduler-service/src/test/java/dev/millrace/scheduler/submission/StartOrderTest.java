package dev.millrace.scheduler.submission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StartOrderTest {
    private final StartOrder order = new StartOrder();

    @Test
    void aStartWaitsForAllEarlierOnesOfItsFlow() {
        StartOrder.Place first = order.enter("a");
        StartOrder.Place second = order.enter("a");
        StartOrder.Place third = order.enter("a");
        assertThat(first.isFirst()).isTrue();
        assertThat(second.isFirst()).isFalse();

        second.close();
        assertThat(third.isFirst()).as("while the first one is there").isFalse();

        first.close();
        third.awaitFirst();
    }

    @Test
    void oneThatComesAfterAnEarlyEndWaitsForTheFirstOne() {
        StartOrder.Place first = order.enter("a");
        order.enter("a").close();

        StartOrder.Place third = order.enter("a");

        assertThat(third.isFirst()).isFalse();
        first.close();
        third.awaitFirst();
    }

    @Test
    void startsOfOtherFlowsAndLaterOnesWaitForNothing() {
        StartOrder.Place first = order.enter("a");
        assertThat(order.enter("b").isFirst()).isTrue();

        first.close();
        assertThat(order.enter("a").isFirst()).isTrue();
    }

    @Test
    void thousandsMayEndBeforeASlowOne() {
        StartOrder.Place slow = order.enter("a");
        for (int i = 0; i < 50_000; i++) {
            order.enter("a").close();
        }
        StartOrder.Place last = order.enter("a");

        slow.close();

        last.awaitFirst();
    }
}
