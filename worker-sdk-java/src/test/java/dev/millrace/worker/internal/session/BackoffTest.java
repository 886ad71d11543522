package dev.millrace.worker.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private final long seed = new Random().nextLong();
    private final Backoff backoff = new Backoff(new Random(seed));

    @Test
    void doublesUpToItsLimitWithJitter() {
        Duration due = Backoff.FIRST;
        for (int failure = 0; failure < 100; failure++) {
            assertThat(backoff.next()).as("failure %d, seed %d", failure, seed).isBetween(due.dividedBy(2), due);
            due = due.multipliedBy(2).compareTo(Backoff.MAX) < 0 ? due.multipliedBy(2) : Backoff.MAX;
        }
    }

    @Test
    void beginsAnewAfterASuccess() {
        for (int failure = 0; failure < 10; failure++) {
            backoff.next();
        }

        backoff.reset();

        assertThat(backoff.next()).isLessThanOrEqualTo(Backoff.FIRST);
    }
}
