package dev.millrace.scheduler.limit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reference implementation of limits, simple instead of fast. Time is counted in steps. */
final class NaiveLimitQueues {
    enum Stage {
        IN_LINE,
        ELSEWHERE,
        RELEASED,
        LEASED,
        ENDED
    }

    static final class Job {
        final long id;
        final String key;
        final int priority;
        final @Nullable Integer max;
        final @Nullable Integer count;
        final int steps;
        Stage stage = Stage.IN_LINE;

        Job(long id, String key, int priority, @Nullable Integer max, @Nullable Integer count, int steps) {
            this.id = id;
            this.key = key;
            this.priority = priority;
            this.max = max;
            this.count = count;
            this.steps = steps;
        }
    }

    private static final class Begin {
        final Job job;

        @Nullable Long time;

        int keptSteps;

        Begin(Job job) {
            this.job = job;
        }
    }

    final TreeMap<Long, Job> jobs = new TreeMap<>();
    private final List<Begin> begins = new ArrayList<>();
    private long now;

    void pass(int steps) {
        now += steps;
    }

    void move(String key) {
        for (Begin begin : begins) {
            if (begin.job.key.equals(key) && begin.time == null && begin.job.stage != Stage.RELEASED) {
                begin.time = now;
            }
        }
        List<Begin> more = new ArrayList<>();
        while (letFirstGo(key, more)) {
            // Repeats until the head of the queue may not go.
        }
        int longest = begins.stream()
                .filter(begin -> begin.job.key.equals(key))
                .mapToInt(begin -> Math.max(begin.job.steps, begin.keptSteps))
                .max()
                .orElse(0);
        more.forEach(begin -> begin.keptSteps = longest);
    }

    /** Forgets the begins that are older than the longest time of a rate in their queue when they were released. */
    void forgetExpired() {
        begins.removeIf(begin -> begin.time != null && now - begin.time > begin.keptSteps);
    }

    private boolean letFirstGo(String key, List<Begin> more) {
        Job first = jobs.values().stream()
                .filter(job -> job.key.equals(key) && job.stage == Stage.IN_LINE)
                .min(Comparator.comparingInt((Job job) -> -job.priority).thenComparingLong(job -> job.id))
                .orElse(null);
        if (first == null || !mayGo(first)) {
            return false;
        }
        first.stage = Stage.RELEASED;
        if (first.count != null) {
            more.add(new Begin(first));
            begins.add(more.getLast());
        }
        return true;
    }

    private boolean mayGo(Job job) {
        long released = jobs.values().stream()
                .filter(other -> other.key.equals(job.key))
                .filter(other -> other.stage == Stage.RELEASED || other.stage == Stage.LEASED)
                .count();
        long begun = begins.stream()
                .filter(begin -> begin.job.key.equals(job.key))
                .filter(begin -> begin.time == null || now - begin.time <= job.steps)
                .count();
        return (job.max == null || released < job.max) && (job.count == null || begun < job.count);
    }

    List<Long> in(String key, Stage stage) {
        return jobs.values().stream()
                .filter(job -> job.key.equals(key) && job.stage == stage)
                .map(job -> job.id)
                .sorted(Comparator.comparingInt((Long id) -> -Objects.requireNonNull(jobs.get(id)).priority)
                        .thenComparingLong(id -> id))
                .toList();
    }
}
