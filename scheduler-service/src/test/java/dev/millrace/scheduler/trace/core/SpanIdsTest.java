package dev.millrace.scheduler.trace.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SpanIdsTest {
    @Test
    void idsFollowFromWhatTheyAreOf() {
        JobId job = JobId.parse("019a0000-0000-7000-8000-000000000001");

        assertThat(SpanIds.ofAttempt(job, 1))
                .isEqualTo(SpanIds.ofAttempt(job, 1))
                .matches("[0-9a-f]{16}");
        assertThat(Set.of(
                        SpanIds.ofJob(job),
                        SpanIds.ofQueue(job),
                        SpanIds.ofAttempt(job, 1),
                        SpanIds.ofAttempt(job, 2),
                        SpanIds.ofStep(new RunId(job.value()), "count"),
                        SpanIds.ofStep(new RunId(job.value()), "count[1]")))
                .hasSize(6);
    }

    @Test
    void neighborsDoNotCollide() {
        Random random = new Random(7);
        long high = random.nextLong();
        long low = random.nextLong();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            JobId job = new JobId(new UUID(high + i, low));
            ids.add(SpanIds.ofJob(job));
            ids.add(SpanIds.ofQueue(job));
            ids.add(SpanIds.ofAttempt(job, 1));
            ids.add(SpanIds.ofStep(new RunId(new UUID(high, low)), "each[" + i + "]"));
        }

        assertThat(ids).hasSize(40_000);
    }
}
