package dev.millrace.scheduler.limit.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobLimit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * How far the queue of a limit advances.
 *
 * <p>No job overtakes another: the queue stops if the numbers of its first job allow no more, whatever the jobs behind
 * ask for. So each job is released in the end, and jobs that ask for more do not starve a job that asks for less.
 *
 * @param count number of jobs to release, from the head of the queue
 * @param awaited the rate that holds the next job back; absent if there is no next job, or if the concurrency limit
 *     holds it back
 */
public record Advance(int count, Optional<JobLimit.Rate> awaited) {
    public Advance {
        requireNonNull(awaited, "awaited");
    }

    /**
     * Decides how far a queue advances.
     *
     * @param queue limits of the waiting jobs, head first
     * @param released number of jobs of the queue that are released and have not ended
     * @param begun number of jobs that count against a rate over the given time: released jobs that have not begun, and
     *     begins within that time
     */
    public static Advance of(List<JobLimit> queue, int released, ToIntFunction<Duration> begun) {
        int rated = 0;
        for (int i = 0; i < queue.size(); i++) {
            JobLimit next = queue.get(i);
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
        return new Advance(queue.size(), Optional.empty());
    }
}
