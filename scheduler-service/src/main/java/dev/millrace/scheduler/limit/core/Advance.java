package dev.millrace.scheduler.limit.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobLimit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * How far a line goes on now. Nobody overtakes: the line stands where the numbers of the one who is first allow no more, whatever those behind
 * ask for. So each is let go in the end, and one that asks for less room than others is not starved by them.
 *
 * @param count how many of those in line are let go
 * @param awaited the rate that keeps the next one back; absent where there is no next one, or a place is missing
 */
public record Advance(int count, Optional<JobLimit.Rate> awaited) {
    public Advance {
        requireNonNull(awaited, "awaited");
    }

    /**
     * Decides it.
     *
     * @param line those who wait, the first first
     * @param released how many of the line have been let go and have not ended
     * @param begun how many count against a rate over this time: those let go that have not begun, and those that began within it
     */
    public static Advance of(List<JobLimit> line, int released, ToIntFunction<Duration> begun) {
        int rated = 0;
        for (int i = 0; i < line.size(); i++) {
            JobLimit next = line.get(i);
            if (next.max().isPresent() && released + i >= next.max().getAsInt()) {
                return new Advance(i, Optional.empty());
            }
            if (next.rate().isPresent()) {
                JobLimit.Rate rate = next.rate().get();
                if (begun.applyAsInt(rate.per()) + rated >= rate.count()) {
                    return new Advance(i, Optional.of(rate));
                }
                rated++;
            }
        }
        return new Advance(line.size(), Optional.empty());
    }
}
