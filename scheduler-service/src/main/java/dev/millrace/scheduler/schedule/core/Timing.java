package dev.millrace.scheduler.schedule.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When a schedule ticks, as its author says it.
 *
 * @param crons cron expressions; a schedule ticks when any of them does
 * @param every an interval, counted from the start, or from 1970 if there is none
 * @param zone name of an IANA zone
 * @param exclude days and times without ticks
 */
public record Timing(
        List<String> crons,
        Optional<Duration> every,
        String zone,
        List<String> exclude,
        Optional<Instant> start,
        Optional<Instant> end) {
    public Timing {
        crons = List.copyOf(crons);
        requireNonNull(every, "every");
        requireNonNull(zone, "zone");
        exclude = List.copyOf(exclude);
        requireNonNull(start, "start");
        requireNonNull(end, "end");
    }
}
