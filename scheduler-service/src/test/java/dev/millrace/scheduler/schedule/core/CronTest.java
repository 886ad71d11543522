package dev.millrace.scheduler.schedule.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronTest {
    private static final long SEED = Long.getLong("millrace.test.seed", 20_261_126);

    /** Zones, each with an instant near which its offset changes: by an hour, by half an hour, by a day, at midnight. */
    private static final List<String> CHANGES = List.of(
            "Europe/Berlin 2026-03-29T01:00:00Z",
            "Europe/Berlin 2026-10-25T01:00:00Z",
            "America/New_York 2026-03-08T07:00:00Z",
            "America/New_York 2026-11-01T06:00:00Z",
            "Australia/Lord_Howe 2026-04-04T15:00:00Z",
            "Australia/Lord_Howe 2026-10-03T15:30:00Z",
            "Pacific/Apia 2011-12-30T10:00:00Z",
            "America/Sao_Paulo 2018-11-04T03:00:00Z",
            "America/Havana 2026-03-08T05:00:00Z",
            "Asia/Kathmandu 2026-06-01T00:00:00Z",
            "Africa/Casablanca 2026-02-15T02:00:00Z");

    @Test
    void ticksWhenAModelTicksThatLooksAtEveryMinute() {
        Random random = new Random(SEED);
        for (int round = 0; round < 400; round++) {
            String[] change = CHANGES.get(round % CHANGES.size()).split(" ", -1);
            ZoneId zone = ZoneId.of(change[0]);
            Instant from = Instant.parse(change[1]).minus(Duration.ofHours(40 + random.nextInt(20)));
            Instant to = from.plus(Duration.ofDays(4));
            NaiveCron.Sample sample = NaiveCron.random(random);

            assertThat(ticks(Cron.read(sample.text()), from, to, zone))
                    .as("seed %d: %s in %s from %s", SEED, sample.text(), zone, from)
                    .isEqualTo(sample.model().ticks(from, to, zone));
        }
    }

    private static List<Instant> ticks(Cron cron, Instant from, Instant to, ZoneId zone) {
        List<Instant> ticks = new ArrayList<>();
        Optional<Instant> next = cron.next(from.minusNanos(1), zone);
        while (next.isPresent() && next.get().isBefore(to)) {
            ticks.add(next.get());
            next = cron.next(next.get(), zone);
        }
        return ticks;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # fixed times in a gap tick once, at its end; in an overlap, once, when they are shown first
            30 2 * * *       | Europe/Berlin    | 2026-03-28T12:00:00Z | 2026-03-29T01:00:00Z
            15,30 2 * * *    | Europe/Berlin    | 2026-03-29T01:00:00Z | 2026-03-30T00:15:00Z
            30 2 * * *       | Europe/Berlin    | 2026-10-25T00:00:00Z | 2026-10-25T00:30:00Z
            30 2 * * *       | Europe/Berlin    | 2026-10-25T00:30:00Z | 2026-10-26T01:30:00Z
            # what follows the clock skips the gap and repeats the overlap
            30 * * * *       | Europe/Berlin    | 2026-03-29T00:30:00Z | 2026-03-29T01:30:00Z
            30 * * * *       | Europe/Berlin    | 2026-10-25T00:30:00Z | 2026-10-25T01:30:00Z
            # the date line
            0 12 30 12 *     | Pacific/Apia     | 2011-12-29T12:00:00Z | 2011-12-30T10:00:00Z
            # days
            0 0 L * *        | UTC              | 2028-02-01T00:00:00Z | 2028-02-29T00:00:00Z
            0 0 L-2 * *      | UTC              | 2026-02-01T00:00:00Z | 2026-02-26T00:00:00Z
            0 0 LW * *       | UTC              | 2026-05-01T00:00:00Z | 2026-05-29T00:00:00Z
            0 0 15W * *      | UTC              | 2026-08-01T00:00:00Z | 2026-08-14T00:00:00Z
            0 0 1W * *       | UTC              | 2026-07-31T12:00:00Z | 2026-08-03T00:00:00Z
            0 9 * * MON#2    | UTC              | 2026-06-01T00:00:00Z | 2026-06-08T09:00:00Z
            0 9 * * 5L       | UTC              | 2026-06-01T00:00:00Z | 2026-06-26T09:00:00Z
            0 9 * * FRI-MON  | UTC              | 2026-06-02T00:00:00Z | 2026-06-05T09:00:00Z
            0 9 * * 7        | UTC              | 2026-06-01T00:00:00Z | 2026-06-07T09:00:00Z
            0 9 13 * FRI     | UTC              | 2026-06-01T00:00:00Z | 2026-06-05T09:00:00Z
            0 0 29 FEB SUN#5 | UTC              | 2026-01-01T00:00:00Z | 2026-02-01T00:00:00Z
            0 0 29 2 *       | UTC              | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z
            # seconds, steps, names
            */20 * * * * *   | UTC              | 2026-01-01T00:00:41Z | 2026-01-01T00:01:00Z
            5-59/20 8 * * *  | UTC              | 2026-01-01T08:25:00Z | 2026-01-01T08:45:00Z
            @daily           | America/New_York | 2026-01-01T00:00:00Z | 2026-01-01T05:00:00Z
            @weekly          | UTC              | 2026-06-01T00:00:00Z | 2026-06-07T00:00:00Z
            0 0 1 jan,jul ?  | UTC              | 2026-01-01T00:00:00Z | 2026-07-01T00:00:00Z
            """)
    void findsTheNextTick(String text, String zone, Instant after, Instant next) {
        // February 29 or a fifth Sunday of February: both fields are restricted, so one of them suffices.
        Instant expected = text.contains("SUN#5") ? Instant.parse("2028-02-29T00:00:00Z") : next;

        assertThat(Cron.read(text).next(after, ZoneId.of(zone))).contains(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            * * *          | has 3 fields
            daily          | "daily" has 1 field (expected
            ''          | is empty (expected
            60 * * * *     | the field minute "60" is invalid (expected: 0 to 59)
            * * * FOO *    | (expected: 1 to 12, or JAN to DEC)
            * * 0 * *      | the field day of the month
            * * * * 8      | (expected: 0 to 7, or SUN to SAT)
            5-1 * * * *    | ends before it begins
            */0 * * * *    | has the step "0"
            1/2/3 * * * *  | two steps
            * * * * 5#6    | expected: #1 to #5
            0 0 30 2 *     | names a day that does not exist
            @often         | expected: @hourly
            * * * * * * *  | has 7 fields
            ,1 * * * *     | has the minute ""
            """)
    void refusesWhatCannotTick(String text, String problem) {
        assertThatThrownBy(() -> Cron.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }
}
