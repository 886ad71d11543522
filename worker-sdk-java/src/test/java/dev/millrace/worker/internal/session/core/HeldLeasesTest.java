package dev.millrace.worker.internal.session.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.worker.internal.session.core.HeldLeases.Arrival;
import org.junit.jupiter.api.Test;

final class HeldLeasesTest {
    private final HeldLeases<Integer, String> leases = new HeldLeases<>();

    @Test
    void aLeaseBeginsOnce() {
        assertThat(leases.arrival(1)).isEqualTo(Arrival.NEW);
        leases.hold(1, "job");
        assertThat(leases.arrival(1)).isEqualTo(Arrival.HELD);

        assertThat(leases.end(1)).isEqualTo("job");

        assertThat(leases.arrival(1)).isEqualTo(Arrival.ENDED);
        assertThat(leases.arrival(2)).isEqualTo(Arrival.NEW);
        assertThat(leases.count()).isZero();
    }

    @Test
    void aLeaseMayEndBeforeItArrives() {
        assertThat(leases.end(1)).isNull();

        assertThat(leases.arrival(1)).isEqualTo(Arrival.ENDED);
    }

    @Test
    void theNextSessionHasOtherLeases() {
        leases.hold(1, "job");
        leases.end(1);

        leases.forgetEnded();

        assertThat(leases.arrival(1)).isEqualTo(Arrival.NEW);
    }

    @Test
    void forgetsTheOldestOfTooManyEndedLeases() {
        for (int lease = 0; lease <= HeldLeases.ENDED_MAX; lease++) {
            leases.end(lease);
        }

        assertThat(leases.arrival(0)).isEqualTo(Arrival.NEW);
        assertThat(leases.arrival(1)).isEqualTo(Arrival.ENDED);
        assertThat(leases.arrival(HeldLeases.ENDED_MAX)).isEqualTo(Arrival.ENDED);
    }
}
