package dev.millrace.scheduler.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.testing.Sweep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Tests on a real Postgres. Time passes because the test moves the noted begins into the past, not because it waits.
 */
class LimitStoreTest {
    private static final @Nullable Integer NONE = null;

    @AutoClose
    private final LimitedQueue queue = new LimitedQueue();

    @Test
    void letsAsManyGoAsThereArePlaces() {
        queue.park("k", 1, 5, 0, 2, NONE, 0);

        LimitStore.Moved moved = queue.move("k");

        assertThat(moved.tags()).isEqualTo(Set.of("handler:h"));
        assertThat(moved.again()).isEmpty();
        assertThat(queue.released("k")).containsExactly(1L, 2L);
        assertThat(queue.move("k").tags()).isEmpty();
    }

    @Test
    void countsThoseWithWorkersUntilTheyEnd() {
        queue.park("k", 1, 5, 0, 2, NONE, 0);
        queue.move("k");
        queue.lease(1);

        assertThat(queue.move("k").tags()).isEmpty();
        queue.end(1);
        queue.move("k");

        assertThat(queue.released("k")).containsExactly(2L, 3L);
    }

    @Test
    void keepsTheOrderOfPriorityAndAge() {
        queue.park("k", 1, 3, 0, 2, NONE, 0);
        queue.park("k", 4, 4, 5, 2, NONE, 0);

        queue.move("k");

        assertThat(queue.released("k")).containsExactly(4L, 1L);
    }

    @Test
    void givesTheTagOfEachBackAndRemembersItsLine() {
        queue.park("k", 1, 1, 0, 1, NONE, 0);
        queue.move("k");

        assertThat(queue.rows("select tag, released_tag, limit_queue from job_queue")
                        .getFirst()
                        .intoMap())
                .containsEntry("tag", "handler:h")
                .containsEntry("released_tag", null)
                .containsEntry("limit_queue", LimitedQueue.line("k"));
    }

    @Test
    void takesAPlaceFromThoseThatComeBack() {
        queue.park("k", 1, 2, 0, 1, NONE, 0);
        queue.move("k");
        queue.lease(1);
        queue.parkAgain(1, 3);
        queue.move("k");
        assertThat(queue.released("k")).containsExactly(2L);

        queue.queue(1);
        assertThat(queue.move("k").tags()).isEmpty();
        queue.end(2);
        queue.move("k");

        assertThat(queue.released("k")).containsExactly(1L);
    }

    @Test
    void leavesThoseOfPausedRunsAside() {
        queue.park("k", 1, 2, 0, 1, NONE, 0);
        queue.move("k");
        queue.parkAgain(1, 6);

        queue.move("k");

        assertThat(queue.released("k")).containsExactly(2L);
    }

    @Test
    void movesLinesApartFromEachOther() {
        queue.park("a", 1, 3, 0, 1, NONE, 0);
        queue.park("b", 4, 6, 0, 2, NONE, 0);

        queue.move("a", "b", "none");

        assertThat(queue.released("a")).containsExactly(1L);
        assertThat(queue.released("b")).containsExactly(4L, 5L);
    }

    @Test
    void countsThoseLetGoAgainstTheRateUntilSomeTimeAfterTheirBegin() {
        queue.park("k", 1, 5, 0, NONE, 2, 60);
        queue.move("k");
        assertThat(queue.released("k")).containsExactly(1L, 2L);

        queue.pass(Duration.ofMinutes(2));
        assertThat(queue.move("k")).isEqualTo(new LimitStore.Moved(Set.of(), Map.of()));
        queue.lease(1);
        LimitStore.Moved moved = queue.move("k");
        assertThat(moved.tags()).isEmpty();
        assertThat(moved.again().get(LimitedQueue.line("k"))).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));

        queue.pass(Duration.ofSeconds(40));
        queue.end(2);
        moved = queue.move("k");
        assertThat(moved.tags()).isEmpty();
        assertThat(moved.again().get(LimitedQueue.line("k"))).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));

        queue.pass(Duration.ofSeconds(20));
        queue.move("k");
        assertThat(queue.released("k")).containsExactly(3L);
        queue.pass(Duration.ofSeconds(40));
        queue.move("k");
        assertThat(queue.released("k")).containsExactly(3L, 4L);
    }

    @Test
    void countsAnAttemptThatBeginsAgain() {
        queue.park("k", 1, 2, 0, NONE, 2, 60);
        queue.move("k");
        queue.lease(1);
        queue.parkAgain(1, 1);

        assertThat(queue.move("k").tags()).isEmpty();
        queue.pass(Duration.ofSeconds(60));
        queue.move("k");

        assertThat(queue.released("k")).containsExactly(1L, 2L);
        assertThat(queue.begins()).isEqualTo(3);
    }

    @Test
    void remembersBeginsForTheLongestTimeThatIsAskedFor() {
        queue.park("k", 1, 1, 0, NONE, 1, 3_600);
        queue.move("k");
        queue.lease(1);
        queue.park("k", 2, 2, 0, NONE, 5, 1);
        queue.move("k");
        queue.lease(2);
        queue.move("k");
        queue.pass(Duration.ofMinutes(1));
        Sweep.now(queue.database, LimitRetention.BEGINS);
        queue.park("k", 3, 3, 0, NONE, 2, 3_600);

        assertThat(queue.move("k").tags()).isEmpty();
        queue.pass(Duration.ofHours(1));
        Sweep.now(queue.database, LimitRetention.BEGINS);
        queue.move("k");

        assertThat(queue.released("k")).containsExactly(3L);
        assertThat(queue.begins()).isEqualTo(1);
    }

    @Test
    void letsALongLineGoInSteps() {
        queue.park("k", 1, 120, 0, 110, NONE, 0);

        assertThat(queue.move("k").again()).isEqualTo(Map.of(LimitedQueue.line("k"), Duration.ZERO));
        queue.moveAll("k");

        assertThat(queue.released("k"))
                .isEqualTo(LongStream.rangeClosed(1, 110).boxed().toList());
    }

    @Test
    void looksAgainAtALineOfWhichSomeoneChangesAJob() {
        queue.park("k", 1, 2, 0, 1, NONE, 0);

        LimitStore.Moved moved = queue.database.transaction(sql -> {
            sql.fetch("select 1 from job_queue where order_key = 1 for update");
            return queue.move("k");
        });

        assertThat(moved)
                .isEqualTo(new LimitStore.Moved(Set.of(), Map.of(LimitedQueue.line("k"), Duration.ofMillis(20))));
    }

    @Test
    void findsLinesThatNobodyToldOf() {
        queue.park("a", 1, 2, 0, 1, NONE, 0);
        queue.park("b", 3, 4, 0, 1, 1, 60);
        queue.execute("update job_queue set tag = 'z', released_tag = null, limit_queue = null where order_key = 2");
        LimitQueueStore lines = new LimitQueueStore(queue.database);

        assertThat(lines.tagsAfter("")).containsExactlyInAnyOrder(LimitedQueue.line("a"), LimitedQueue.line("b"), "z");
        assertThat(lines.queuesNotNoted()).isEmpty();
        queue.move("b");

        assertThat(lines.queuesNotNoted()).isEqualTo(List.of(LimitedQueue.line("b")));
    }

    @Test
    void looksAtTheFirstOfALongLineOnly() {
        queue.park("k", 1, 100_000, 0, 1, 5, 60);
        queue.move("k");

        List<String> plan = queue
                .rows(
                        "explain (analyze, costs off, timing off) " + LimitStore.WAITING,
                        new String[] {LimitedQueue.line("k")},
                        50)
                .stream()
                .map(row -> row.get(0, String.class))
                .toList();

        assertThat(plan)
                .anyMatch(line -> line.contains("Index Scan using job_queue_claimable") && line.contains("rows=50"));
        assertThat(plan).noneMatch(line -> line.contains("Seq Scan on job_queue"));
    }
}
