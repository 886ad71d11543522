package dev.millrace.scheduler.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.ResponseLimit;
import dev.millrace.kafka.ResponseTurns;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.kafka.common.network.InvalidReceiveException;
import org.junit.jupiter.api.Test;

/** Tests of turns of consumers that read large responses. */
class ResponseTurnsTest {
    private static final int SMALL = 1_000;
    private static final int LARGE = 10_000;

    private final ResponseTurns turns = new ResponseTurns(1, SMALL);
    private final ResponseLimit one = new ResponseLimit(LARGE, turns);
    private final ResponseLimit other = new ResponseLimit(LARGE, turns);

    @Test
    void readsLargeResponsesInTurnAndSmallOnesAtOnce() throws InterruptedException {
        ByteBuffer reading = one.tryAllocate(LARGE);
        assertThat(one.hasTurn()).isTrue();
        assertWaits(other);
        assertThat(other.tryAllocate(SMALL)).isNotNull();

        one.beforePoll();
        one.afterPoll(true);
        assertThat(one.hasTurn()).as("the response is still being read").isTrue();

        reading.position(LARGE);
        one.beforePoll();
        one.afterPoll(false);
        assertThat(one.hasTurn()).as("its messages are still there").isTrue();

        one.beforePoll();
        one.afterPoll(true);
        assertThat(one.hasTurn()).isFalse();
        other.awaitTurn(Duration.ZERO);
        assertThat(other.isWaiting()).isFalse();
        assertThat(other.tryAllocate(LARGE)).isNotNull();
        assertWaits(one);
    }

    @Test
    void keepsATurnForTheResponseThatItWasTakenFor() throws InterruptedException {
        assertThat(one.takeTurn()).isTrue();
        assertWaits(other);
        other.awaitTurn(Duration.ofMillis(1));
        assertThat(other.isWaiting()).isTrue();

        one.beforePoll();
        one.afterPoll(true);
        assertThat(one.hasTurn()).as("nothing has come yet").isTrue();
    }

    @Test
    void givesBackWhatAClosedConsumerHad() {
        assertThat(one.tryAllocate(LARGE)).isNotNull();
        assertWaits(other);
        one.close();
        assertThat(other.takeTurn()).isTrue();
        other.close();
        assertThat(one.takeTurn()).isTrue();
    }

    @Test
    void letsThoseWhoAreReadyGoBeforeOneThatIsNot() throws InterruptedException {
        ResponseLimit third = new ResponseLimit(LARGE, turns);
        assertThat(one.takeTurn()).isTrue();
        assertWaits(other);
        assertWaits(third);
        Thread waiting = Thread.ofVirtual().unstarted(() -> {
            try {
                other.awaitTurn(Duration.ofMinutes(1));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        one.close();
        assertThat(third.takeTurn()).as("the other one is busy elsewhere").isTrue();
        waiting.start();
        third.close();
        waiting.join();
        assertThat(other.hasTurn()).isTrue();
    }

    private static void assertWaits(ResponseLimit client) {
        assertThatThrownBy(() -> client.tryAllocate(LARGE))
                .isInstanceOf(InvalidReceiveException.class)
                .hasMessageContaining("in turn");
        assertThat(client.isWaiting()).isTrue();
    }
}
