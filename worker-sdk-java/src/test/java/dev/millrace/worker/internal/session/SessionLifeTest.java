package dev.millrace.worker.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionLifeTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    private long now = Duration.ofHours(1).toNanos();
    private final SessionLife life = new SessionLife(() -> now);

    @Test
    void isInDoubtUntilTheFirstWelcome() {
        assertThat(life.isCertain()).isFalse();

        assertThat(life.opened(now, TTL)).isTrue();

        assertThat(life.isCertain()).isTrue();
    }

    @Test
    void livesOnWithEachHeartbeatThatIsAnswered() {
        life.opened(now, TTL);

        for (int beat = 0; beat < 10; beat++) {
            pass(3);
            assertThat(life.answered(life.send())).as("lives again").isFalse();
            assertThat(life.isCertain()).isTrue();
        }
    }

    @Test
    void isInDoubtAfterAFreezeThoughAnswersFromBeforeArrive() {
        life.opened(now, TTL);
        long before = life.send();
        pass(6);

        assertThat(life.answered(before)).isFalse();
        assertThat(life.isCertain()).isFalse();

        assertThat(life.answered(life.send())).isTrue();
        assertThat(life.isCertain()).isTrue();
    }

    @Test
    void doesNotTakeASignForAnAnswer() {
        life.opened(now, TTL);
        pass(4);
        life.send();
        pass(2);

        assertThat(life.answered(0)).isFalse();
        assertThat(life.isCertain()).isFalse();
    }

    @Test
    void isInDoubtFromTheEndOfAStreamUntilTheNextWelcome() {
        life.opened(now, TTL);
        long before = life.send();

        life.interrupted();
        assertThat(life.answered(before)).isFalse();
        assertThat(life.isCertain()).isFalse();

        assertThat(life.opened(now, TTL)).isTrue();
    }

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }
}
