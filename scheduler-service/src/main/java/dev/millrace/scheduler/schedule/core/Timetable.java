package dev.millrace.scheduler.schedule.core;

import dev.millrace.text.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ticks of a schedule. */
public final class Timetable {
    /** Shortest interval. */
    public static final Duration EVERY_MIN = Duration.ofSeconds(1);
    /** Longest interval. */
    public static final Duration EVERY_MAX = Duration.ofDays(3_660);
    /** Maximum number of cron expressions. */
    public static final int CRONS_MAX = 20;
    /** Maximum number of exclusions. */
    public static final int EXCLUSIONS_MAX = 200;
    /** Maximum number of excluded ticks, one after the other, that are passed over. */
    private static final int EXCLUDED_MAX = 20_000;

    private final List<Cron> crons;
    private final Optional<Duration> every;
    private final ZoneId zone;
    private final List<Exclusion> exclusions;
    private final Optional<Instant> start;
    private final Optional<Instant> end;

    private Timetable(
            List<Cron> crons,
            Optional<Duration> every,
            ZoneId zone,
            List<Exclusion> exclusions,
            Optional<Instant> start,
            Optional<Instant> end) {
        this.crons = List.copyOf(crons);
        this.every = every;
        this.zone = zone;
        this.exclusions = List.copyOf(exclusions);
        this.start = start;
        this.end = end;
    }

    /** A part of a timing that cannot be read. */
    public record Problem(String field, String message) {}

    /** Reads a timing, and adds what is wrong with it to {@code problems}. The timetable is empty if anything is. */
    public static Optional<Timetable> read(Timing timing, List<Problem> problems) {
        int before = problems.size();
        List<Cron> crons = new ArrayList<>();
        for (int index = 0; index < timing.crons().size() && index < CRONS_MAX; index++) {
            String text = timing.crons().get(index);
            collect("cron[" + index + "]", () -> crons.add(Cron.read(text)), problems);
        }
        List<Exclusion> exclusions = new ArrayList<>();
        for (int index = 0; index < timing.exclude().size() && index < EXCLUSIONS_MAX; index++) {
            String text = timing.exclude().get(index);
            collect("exclude[" + index + "]", () -> exclusions.add(Exclusion.read(text)), problems);
        }
        if (timing.crons().size() > CRONS_MAX) {
            problems.add(new Problem("cron", timing.crons().size() + " items (expected: at most " + CRONS_MAX + ")"));
        }
        if (timing.exclude().size() > EXCLUSIONS_MAX) {
            problems.add(new Problem(
                    "exclude", timing.exclude().size() + " items (expected: at most " + EXCLUSIONS_MAX + ")"));
        }
        if (timing.crons().isEmpty() && timing.every().isEmpty()) {
            problems.add(new Problem(
                    "cron",
                    "is missing, and so is `every` (expected: a cron expression, an interval as `every`, or both)"));
        }
        timing.every()
                .filter(period -> period.compareTo(EVERY_MIN) < 0 || period.compareTo(EVERY_MAX) > 0)
                .ifPresent(period -> problems.add(new Problem(
                        "every",
                        Durations.text(period) + " (expected: " + Durations.text(EVERY_MIN) + " to "
                                + Durations.text(EVERY_MAX) + ")")));
        if (timing.start().isPresent()
                && timing.end().isPresent()
                && !timing.end().get().isAfter(timing.start().get())) {
            problems.add(new Problem(
                    "end",
                    timing.end().get() + " (expected: after the start, "
                            + timing.start().get() + ")"));
        }
        List<ZoneId> zone = new ArrayList<>();
        collect("zone", () -> zone.add(zone(timing.zone())), problems);
        return problems.size() > before
                ? Optional.empty()
                : Optional.of(new Timetable(
                        crons, timing.every(), zone.getFirst(), exclusions, timing.start(), timing.end()));
    }

    private static void collect(String field, Runnable reading, List<Problem> problems) {
        try {
            reading.run();
        } catch (IllegalArgumentException wrong) {
            problems.add(new Problem(field, String.valueOf(wrong.getMessage())));
        }
    }

    private static ZoneId zone(String name) {
        try {
            return name.isEmpty() ? ZoneId.of("UTC") : ZoneId.of(name);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" (expected: the name of an IANA zone, such as Europe/Berlin or UTC)", unknown);
        }
    }

    public ZoneId zone() {
        return zone;
    }

    /** The first tick after this instant; empty if there is none. */
    public Optional<Instant> next(Instant after) {
        Instant from = start.filter(begin -> begin.isAfter(after))
                .map(begin -> begin.minusNanos(1))
                .orElse(after);
        for (int passed = 0; passed < EXCLUDED_MAX; passed++) {
            Optional<Instant> tick = nextOfAny(from);
            if (tick.isEmpty() || end.filter(last -> tick.get().isAfter(last)).isPresent()) {
                return Optional.empty();
            }
            Optional<Instant> skip = exclusions.stream()
                    .flatMap(exclusion -> exclusion.skip(tick.get(), zone).stream())
                    .findFirst();
            if (skip.isEmpty()) {
                return tick;
            }
            from = skip.get();
        }
        return Optional.empty();
    }

    private Optional<Instant> nextOfAny(Instant after) {
        Optional<Instant> least = every.map(period -> nextInterval(period, after));
        for (Cron cron : crons) {
            Optional<Instant> next = cron.next(after, zone);
            if (next.isPresent() && (least.isEmpty() || next.get().isBefore(least.get()))) {
                least = next;
            }
        }
        return least;
    }

    /** Intervals are counted in elapsed time, so they follow no clock on a wall. */
    private Instant nextInterval(Duration period, Instant after) {
        Instant anchor = start.orElse(Instant.EPOCH);
        if (after.isBefore(anchor)) {
            return anchor;
        }
        long millis = period.toMillis();
        long passed = Duration.between(anchor, after).toMillis() / millis;
        return anchor.plusMillis((passed + 1) * millis);
    }
}
