package dev.millrace.scheduler.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BlobUseTest {
    private static final long FITS = -1;

    private long now;
    private long inDatabase;
    private long counts;
    private Duration countTakes = Duration.ZERO;
    private final BlobUse use = new BlobUse(this::count, () -> now);

    private long count() {
        counts++;
        now += countTakes.toNanos();
        return inDatabase;
    }

    @Test
    void takesToTheLastByteAndNoFurther() {
        inDatabase = 90;

        assertThat(use.take(10, 100)).isEqualTo(FITS);
        assertThat(use.take(1, 100)).isEqualTo(100);

        use.release(10);
        assertThat(use.take(10, 100)).isEqualTo(FITS);
    }

    @Test
    void knowsAtOnceWhatItStoresAndDeletesItself() {
        assertThat(use.take(60, 100)).isEqualTo(FITS);
        use.stored(60);
        use.release(60);
        assertThat(use.take(50, 100)).isEqualTo(60);

        use.stored(-60);
        assertThat(use.take(50, 100)).isEqualTo(FITS);
        assertThat(counts).isEqualTo(1);
    }

    @Test
    void allowsByACountOfTenSecondsAndRefusesByOneOfASecond() {
        assertThat(use.take(10, 100)).isEqualTo(FITS);
        use.release(10);
        // Another scheduler stores, and this one does not know.
        inDatabase = 95;
        after(Duration.ofSeconds(9));
        assertThat(use.take(10, 100)).isEqualTo(FITS);
        use.release(10);
        after(Duration.ofSeconds(1));
        assertThat(use.take(10, 100)).isEqualTo(95);

        inDatabase = 0;
        after(Duration.ofMillis(900));
        assertThat(use.take(10, 100)).as("counted less than a second ago").isEqualTo(95);
        after(Duration.ofMillis(100));
        assertThat(use.take(10, 100)).isEqualTo(FITS);
        assertThat(counts).isEqualTo(3);
    }

    @Test
    void countsLessOftenIfThatTakesLong() {
        countTakes = Duration.ofSeconds(1);
        inDatabase = 100;
        assertThat(use.take(1, 100)).isEqualTo(100);
        after(Duration.ofSeconds(19));
        assertThat(use.take(1, 100)).isEqualTo(100);
        assertThat(counts).isEqualTo(1);
        after(Duration.ofSeconds(1));
        assertThat(use.take(1, 100)).isEqualTo(100);
        assertThat(counts).isEqualTo(2);
    }

    @Test
    void countsNothingWithoutAQuota() {
        assertThat(use.take(Long.MAX_VALUE / 2, 0)).isEqualTo(FITS);
        assertThat(counts).isZero();
        assertThat(use.take(1, Long.MAX_VALUE)).isEqualTo(FITS);
        assertThat(use.see()).isZero();
    }

    private void after(Duration time) {
        now += time.toNanos();
    }
}
