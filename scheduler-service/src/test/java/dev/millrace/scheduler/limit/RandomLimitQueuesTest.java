package dev.millrace.scheduler.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.limit.NaiveLimitQueues.Job;
import dev.millrace.scheduler.limit.NaiveLimitQueues.Stage;
import dev.millrace.scheduler.testing.Sweep;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Compares random queues on a real Postgres with the reference implementation, and lets several limiters run at once.
 */
class RandomLimitQueuesTest {
    private static final List<String> KEYS = List.of("a", "b");
    private static final int STEPS = 1_500;
    /** So long that the duration of the test itself makes no difference. */
    private static final Duration STEP = Duration.ofHours(1);

    @AutoClose
    private final LimitedQueue queue = new LimitedQueue();

    @Test
    void movesLinesAsTheNaiveOnesMove() {
        long seed = Long.getLong("millrace.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        NaiveLimitQueues naive = new NaiveLimitQueues();
        for (int i = 1; i <= STEPS; i++) {
            act(random, naive, i);
            if (random.nextInt(10) == 0) {
                Sweep.now(queue.database, LimitRetention.BEGINS);
                naive.forgetExpired();
            }
            String key = KEYS.get(random.nextInt(KEYS.size()));
            naive.move(key);
            queue.moveAll(key);
            assertThat(queue.released(key))
                    .as("seed %s, step %s, line %s", seed, i, key)
                    .isEqualTo(naive.in(key, Stage.RELEASED));
            assertThat(queue.leased(key)).isEqualTo(naive.in(key, Stage.LEASED));
        }
    }

    private void act(Random random, NaiveLimitQueues naive, int number) {
        List<Job> live = naive.jobs.values().stream()
                .filter(job -> job.stage != Stage.ENDED)
                .toList();
        Job job = live.isEmpty() ? null : live.get(random.nextInt(live.size()));
        switch (random.nextInt(5)) {
            case 0 -> {
                int steps = random.nextInt(2);
                naive.pass(steps);
                queue.pass(STEP.multipliedBy(steps));
            }
            case 1 -> park(random, naive, number);
            default -> {
                if (job != null) {
                    act(random, job);
                }
            }
        }
    }

    private void park(Random random, NaiveLimitQueues naive, int number) {
        Integer max = random.nextBoolean() ? 1 + random.nextInt(3) : null;
        Integer count = max == null || random.nextInt(3) == 0 ? 1 + random.nextInt(4) : null;
        int steps = random.nextInt(4);
        Job job = new Job(number, KEYS.get(random.nextInt(KEYS.size())), random.nextInt(3), max, count, steps);
        naive.jobs.put(job.id, job);
        // The rate's time ends half a step after a whole number of steps, so that rounding makes no difference.
        long seconds = STEP.multipliedBy(steps).plus(STEP.dividedBy(2)).toSeconds();
        queue.park(job.key, number, number, job.priority, max, count, seconds);
    }

    private void act(Random random, Job job) {
        switch (job.stage) {
            case RELEASED -> {
                if (random.nextInt(4) > 0) {
                    queue.lease(job.id);
                    job.stage = Stage.LEASED;
                } else {
                    queue.parkAgain(job.id, 6);
                    job.stage = Stage.ELSEWHERE;
                }
            }
            case LEASED -> {
                if (random.nextInt(4) > 0) {
                    end(job);
                } else if (random.nextBoolean()) {
                    queue.parkAgain(job.id, 3);
                    job.stage = Stage.ELSEWHERE;
                } else {
                    queue.parkAgain(job.id, 1);
                    job.stage = Stage.IN_LINE;
                }
            }
            case ELSEWHERE -> {
                queue.queue(job.id);
                job.stage = Stage.IN_LINE;
            }
            case IN_LINE -> {
                if (random.nextInt(4) == 0) {
                    end(job);
                }
            }
            case ENDED -> throw new IllegalStateException("job " + job.id + " has ended");
        }
    }

    private void end(Job job) {
        queue.end(job.id);
        job.stage = Stage.ENDED;
    }

    @Test
    void exceedsNoLimitWithSeveralKeepersAndLosesNoJob() throws Exception {
        int jobs = 300;
        int places = 3;
        queue.park("k", 1, jobs, 0, places, null, 0);
        CountDownLatch left = new CountDownLatch(jobs);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = List.of(
                    threads.submit(() -> keep(left)),
                    threads.submit(() -> keep(left)),
                    threads.submit(() -> work(left, places)),
                    threads.submit(() -> work(left, places)));
            for (Future<?> one : all) {
                one.get();
            }
        }

        assertThat(queue.rows("select 1 from job_queue")).isEmpty();
    }

    private void keep(CountDownLatch left) {
        while (left.getCount() > 0) {
            queue.move("k", "other");
        }
    }

    private void work(CountDownLatch left, int places) {
        while (left.getCount() > 0) {
            queue.rows("""
                    update job_queue q set state = 2, session_id = q.id, lease_token = 1
                    from (select id from job_queue where state = 1 and tag = 'handler:h' limit 1 for update skip locked) as free
                    where q.id = free.id returning q.order_key
                    """).forEach(row -> {
                assertThat(queue.rows("select 1 from job_queue where limit_queue is not null and released_tag is null"))
                        .hasSizeLessThanOrEqualTo(places);
                queue.end(row.get(0, Long.class));
                left.countDown();
            });
        }
    }
}
