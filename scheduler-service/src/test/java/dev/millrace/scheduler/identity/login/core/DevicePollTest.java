package dev.millrace.scheduler.identity.login.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DevicePollTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant END = START.plusSeconds(600);

    @Test
    void whoAsksForTheFirstTimeWaits() {
        assertThat(poll(Optional.empty(), Optional.empty(), 1)).isEqualTo(DevicePoll.PENDING);
    }

    @Test
    void whoAsksTooSoonIsSlowedDown() {
        assertThat(poll(Optional.of(10L), Optional.empty(), 13)).isEqualTo(DevicePoll.SLOW_DOWN);
        assertThat(poll(Optional.of(10L), Optional.empty(), 15)).isEqualTo(DevicePoll.PENDING);
    }

    @Test
    void aSecondOfJitterIsForgiven() {
        assertThat(poll(Optional.of(10L), Optional.empty(), 14)).isEqualTo(DevicePoll.PENDING);
    }

    @Test
    void aDecisionIsToldHoweverSoonSomebodyAsks() {
        assertThat(poll(Optional.of(10L), Optional.of(true), 10)).isEqualTo(DevicePoll.APPROVED);
        assertThat(poll(Optional.of(10L), Optional.of(false), 10)).isEqualTo(DevicePoll.DENIED);
    }

    @Test
    void nothingIsGivenAfterTheEnd() {
        assertThat(poll(Optional.of(10L), Optional.of(true), 600)).isEqualTo(DevicePoll.EXPIRED);
        assertThat(poll(Optional.of(10L), Optional.of(true), 599)).isEqualTo(DevicePoll.APPROVED);
    }

    private static DevicePoll poll(Optional<Long> polledAt, Optional<Boolean> isApproved, long now) {
        return DevicePoll.decide(
                new DevicePoll.State(END, Duration.ofSeconds(5), polledAt.map(START::plusSeconds), isApproved),
                START.plusSeconds(now));
    }
}
