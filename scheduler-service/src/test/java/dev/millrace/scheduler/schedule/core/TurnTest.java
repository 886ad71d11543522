package dev.millrace.scheduler.schedule.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnTest {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    private static final Timetable MINUTELY = Timetable.read(
                    new Timing(
                            List.of("* * * * *"),
                            Optional.empty(),
                            "UTC",
                            List.of(),
                            Optional.empty(),
                            Optional.empty()),
                    new ArrayList<>())
            .orElseThrow();

    @ParameterizedTest
    @CsvSource({
        "SKIP, false, START SKIP SKIP",
        "SKIP, true, SKIP SKIP SKIP",
        "BUFFER_ONE, false, START WAIT SKIP",
        "BUFFER_ONE, true, WAIT SKIP SKIP",
        "BUFFER_ALL, false, START WAIT WAIT",
        "BUFFER_ALL, true, WAIT WAIT WAIT",
        "CANCEL_RUNNING, false, SKIP SKIP START",
        "CANCEL_RUNNING, true, SKIP SKIP CANCEL_AND_START",
        "ALLOW, true, START START START"
    })
    void decidesOnEachDueTickByThePolicy(OverlapPolicy policy, boolean isRunning, String actions) {
        Turn turn = turn(policy, new Turn.Standing(Optional.of(NOON.minusSeconds(120)), isRunning, 0));

        assertThat(turn.ticks()).extracting(tick -> tick.action().name()).containsExactly(actions.split(" "));
        assertThat(turn.nextTick()).contains(NOON.plusSeconds(60));
        assertThat(turn.wakeAt()).contains(turn.waiting() > 0 ? NOON.plusSeconds(1) : NOON.plusSeconds(60));
    }

    @Test
    void theOldestWaitingTickStartsOnceTheRunHasEnded() {
        Turn turn = turn(OverlapPolicy.BUFFER_ALL, new Turn.Standing(Optional.of(NOON), false, 2));

        assertThat(turn.releases()).isTrue();
        assertThat(turn.ticks()).extracting(Turn.Tick::action).containsExactly(Turn.Action.WAIT);
        assertThat(turn.waiting()).isEqualTo(2);
    }

    @Test
    void ticksOlderThanTheCatchUpTimeAreMissedAndCounted() {
        Conduct conduct = new Conduct(OverlapPolicy.ALLOW, Duration.ofMinutes(2), Duration.ZERO);
        Turn turn = Turn.at(
                NOON,
                new Turn.Standing(Optional.of(NOON.minus(Duration.ofMinutes(10))), false, 0),
                MINUTELY,
                conduct,
                1);

        assertThat(turn.missed())
                .contains(new Turn.Missed(NOON.minus(Duration.ofMinutes(10)), NOON.minus(Duration.ofMinutes(3)), 8));
        assertThat(turn.ticks()).hasSize(3);
    }

    @Test
    void aTurnDecidesOnABoundedNumberOfTicksAndGoesOnAtOnce() {
        Conduct conduct = new Conduct(OverlapPolicy.ALLOW, Duration.ofDays(1), Duration.ZERO);
        Turn turn = Turn.at(
                NOON, new Turn.Standing(Optional.of(NOON.minus(Duration.ofHours(10))), false, 0), MINUTELY, conduct, 1);

        assertThat(turn.ticks()).hasSize(Turn.TICKS_MAX);
        assertThat(turn.wakeAt().orElseThrow()).isBefore(NOON);
    }

    /** However the turns fall, each tick is decided on once. */
    @Test
    void noTickIsLostOrDecidedOnTwice() {
        Random random = new Random(7);
        for (OverlapPolicy policy : OverlapPolicy.values()) {
            Conduct conduct = new Conduct(policy, Duration.ofMinutes(5), Duration.ofSeconds(random.nextInt(50)));
            List<Instant> seen = new ArrayList<>();
            Turn.Standing standing = new Turn.Standing(Optional.of(NOON), false, 0);
            Instant now = NOON;
            for (int round = 0; round < 300; round++) {
                now = now.plusSeconds(random.nextInt(random.nextInt(10) == 0 ? 2_000 : 100));
                Turn turn = Turn.at(now, standing, MINUTELY, conduct, 42);
                turn.missed().ifPresent(missed -> {
                    for (int tick = 0; tick < missed.count(); tick++) {
                        seen.add(missed.first().plusSeconds(60L * tick));
                    }
                });
                turn.ticks().forEach(tick -> seen.add(tick.time()));
                standing = new Turn.Standing(turn.nextTick(), random.nextBoolean(), turn.waiting());
            }
            assertThat(seen).isSorted().doesNotHaveDuplicates();
            assertThat(Duration.between(NOON, seen.getLast()).toMinutes()).isEqualTo(seen.size() - 1);
        }
    }

    @Test
    void jitterFollowsFromTheScheduleAndTheTick() {
        Conduct conduct = new Conduct(OverlapPolicy.SKIP, Duration.ofHours(1), Duration.ofSeconds(30));

        assertThat(conduct.fireAt(NOON, 1)).isEqualTo(conduct.fireAt(NOON, 1)).isBetween(NOON, NOON.plusSeconds(30));
        assertThat(java.util.stream.LongStream.range(0, 50)
                        .mapToObj(seed -> conduct.fireAt(NOON, seed))
                        .distinct())
                .hasSizeGreaterThan(40);
    }

    private static Turn turn(OverlapPolicy policy, Turn.Standing standing) {
        return Turn.at(NOON, standing, MINUTELY, new Conduct(policy, Duration.ofHours(1), Duration.ZERO), 1);
    }
}
