package dev.millrace.scheduler.schedule.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimetableTest {
    private static final Instant START = Instant.parse("2026-12-23T00:00:00Z");

    @Test
    void excludesDaysDaysOfEachYearAndTimes() {
        Timetable table = table(new Timing(
                List.of("0 9,21 * * *"),
                Optional.empty(),
                "UTC",
                List.of("2026-12-24..2026-12-26", "01-01", "* 20-23 * * *"),
                Optional.empty(),
                Optional.of(Instant.parse("2027-01-02T09:00:00Z"))));

        assertThat(ticks(table, Instant.parse("2026-12-23T10:00:00Z"), 20))
                .extracting(Instant::toString)
                .containsExactly(
                        "2026-12-27T09:00:00Z",
                        "2026-12-28T09:00:00Z",
                        "2026-12-29T09:00:00Z",
                        "2026-12-30T09:00:00Z",
                        "2026-12-31T09:00:00Z",
                        "2027-01-02T09:00:00Z");
    }

    @Test
    void intervalsCountElapsedTimeFromTheStart() {
        Timetable table = table(new Timing(
                List.of(),
                Optional.of(Duration.ofMinutes(90)),
                "Europe/Berlin",
                List.of(),
                Optional.of(Instant.parse("2026-03-29T00:10:00Z")),
                Optional.empty()));

        assertThat(ticks(table, START.minus(Duration.ofDays(365)), 3))
                .extracting(Instant::toString)
                .containsExactly("2026-03-29T00:10:00Z", "2026-03-29T01:40:00Z", "2026-03-29T03:10:00Z");
        assertThat(table.next(Instant.parse("2026-03-29T01:40:00Z"))).contains(Instant.parse("2026-03-29T03:10:00Z"));
    }

    @Test
    void severalExpressionsTickTogetherOnce() {
        Timetable table = table(new Timing(
                List.of("0 * * * *", "*/30 * * * *"),
                Optional.empty(),
                "",
                List.of(),
                Optional.empty(),
                Optional.empty()));

        assertThat(ticks(table, START, 2))
                .containsExactly(START.plus(Duration.ofMinutes(30)), START.plus(Duration.ofHours(1)));
    }

    @Test
    void everythingExcludedNeverTicks() {
        assertThat(table(new Timing(
                                List.of("* * * * *"),
                                Optional.empty(),
                                "",
                                List.of("* * * * *"),
                                Optional.empty(),
                                Optional.empty()))
                        .next(START))
                .isEmpty();
    }

    @Test
    void namesEverythingThatIsWrong() {
        List<Timetable.Problem> problems = new ArrayList<>();

        assertThat(Timetable.read(
                        new Timing(
                                List.of("x"),
                                Optional.of(Duration.ZERO),
                                "Mars/Base",
                                List.of("2026-13-01", "2026-02-02..2026-02-01"),
                                Optional.of(START),
                                Optional.of(START)),
                        problems))
                .isEmpty();
        assertThat(problems)
                .extracting(Timetable.Problem::field)
                .containsExactlyInAnyOrder("cron[0]", "every", "zone", "exclude[0]", "exclude[1]", "end");
    }

    private static Timetable table(Timing timing) {
        return Timetable.read(timing, new ArrayList<>()).orElseThrow();
    }

    private static List<Instant> ticks(Timetable table, Instant after, int max) {
        List<Instant> ticks = new ArrayList<>();
        Optional<Instant> next = table.next(after);
        while (next.isPresent() && ticks.size() < max) {
            ticks.add(next.get());
            next = table.next(next.get());
        }
        return ticks;
    }
}
