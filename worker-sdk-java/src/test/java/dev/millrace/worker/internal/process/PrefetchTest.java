package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrefetchTest {
    private static final int CONFIGURED = 4;
    private static final int MANY = 200;

    private final Prefetch prefetch = new Prefetch(CONFIGURED);

    @Test
    void beginsWithWhatIsConfigured() {
        assertThat(prefetch.perSlot()).isEqualTo(CONFIGURED);
    }

    @Test
    void letsMoreShortJobsWait() {
        ran(Duration.ofNanos(10_000), MANY);

        assertThat(prefetch.perSlot()).isEqualTo(Prefetch.PER_SLOT_MAX);
    }

    @Test
    void keepsToWhatIsConfiguredForLongJobs() {
        ran(Duration.ofSeconds(3), MANY);

        assertThat(prefetch.perSlot()).isEqualTo(CONFIGURED);
    }

    @Test
    void letsMoreJobsWaitWhereTheSchedulerIsSlow() {
        ran(Duration.ofMillis(2), MANY);
        assertThat(prefetch.perSlot()).isEqualTo(CONFIGURED);

        for (int i = 0; i < MANY; i++) {
            prefetch.turnedAround(Duration.ofMillis(20).toNanos());
        }
        ran(Duration.ofMillis(2), 1);

        assertThat(prefetch.perSlot()).isBetween(15, 25);
    }

    @Test
    void takesItBackWhenJobsBecomeLong() {
        ran(Duration.ofNanos(10_000), MANY);

        ran(Duration.ofMillis(50), 20);

        assertThat(prefetch.perSlot()).isEqualTo(CONFIGURED);
    }

    @Test
    void letsNoneWaitBehindLongJobsUntilOneIsShort() {
        prefetch.distrust();
        assertThat(prefetch.perSlot()).isZero();

        ran(Duration.ofSeconds(3), 2);
        assertThat(prefetch.perSlot()).isZero();

        ran(Duration.ofMillis(50), 1);
        assertThat(prefetch.perSlot()).isEqualTo(CONFIGURED);
    }

    @Test
    void isNotMisledByOnePause() {
        ran(Duration.ofNanos(10_000), MANY);

        ran(Duration.ofSeconds(1), 1);

        assertThat(prefetch.perSlot()).isEqualTo(Prefetch.PER_SLOT_MAX);
    }

    @Test
    void tellsOfAChangeOnceAndNotOfSmallOnes() {
        int changes = ran(Duration.ofNanos(10_000), MANY) + ran(Duration.ofNanos(11_000), MANY);

        assertThat(changes).isLessThanOrEqualTo(6);
    }

    @Test
    void neverPrefetchesWhereThatIsTurnedOff() {
        Prefetch none = new Prefetch(0);

        assertThat(none.ran(1)).isFalse();
        assertThat(none.perSlot()).isZero();
    }

    private int ran(Duration each, int jobs) {
        int changes = 0;
        for (int i = 0; i < jobs; i++) {
            changes += prefetch.ran(each.toNanos()) ? 1 : 0;
        }
        return changes;
    }
}
