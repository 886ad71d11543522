package dev.millrace.scheduler.kafka.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class BatchesTest {
    private static final int ROOM_MESSAGES = 20;
    private static final long ROOM_BYTES = 400;

    @Test
    void takesFullBatchesAtOnceAndTheRestWhenItHasWaited() {
        Batches batches = new Batches(3, Duration.ofNanos(100), ROOM_MESSAGES, ROOM_BYTES);
        for (int offset = 0; offset < 7; offset++) {
            batches.add(message(0, offset, 1), offset);
        }

        assertThat(batches.due(10))
                .singleElement()
                .satisfies(due -> assertThat(offsets(due)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L));
        assertThat(batches.untilDue(10)).hasValue(96);
        assertThat(batches.due(105)).isEmpty();
        assertThat(batches.due(106))
                .singleElement()
                .satisfies(due -> assertThat(offsets(due)).containsExactly(6L));
        assertThat(batches.untilDue(200)).isEmpty();
    }

    @Test
    void letsNothingWaitWithoutRoom() {
        Batches batches = new Batches(100, Duration.ofHours(1), ROOM_MESSAGES, ROOM_BYTES);
        batches.add(message(0, 0, 399), 0);
        assertThat(batches.due(0)).isEmpty();

        batches.add(message(1, 0, 1), 0);

        assertThat(batches.due(0)).hasSize(2);
        assertThat(batches.size()).isZero();
    }

    /** Compares with a list of all messages: none is lost, repeated, out of order, late, or kept beyond the room. */
    @RepeatedTest(50)
    void takesEachMessageOnceInOrder(RepetitionInfo seed) {
        Random random = new Random(seed.getCurrentRepetition());
        int most = 1 + random.nextInt(5);
        long wait = random.nextInt(30);
        Batches batches = new Batches(most, Duration.ofNanos(wait), ROOM_MESSAGES, ROOM_BYTES);
        Map<Integer, List<Long>> taken = new HashMap<>();
        Map<Integer, Long> next = new HashMap<>();
        Map<Integer, Long> base = new HashMap<>();
        Map<String, Long> addedAt = new HashMap<>();
        for (long now = 0; now < 500; now++) {
            for (int count = random.nextInt(4); count > 0; count--) {
                int partition = random.nextInt(3);
                long offset = next.merge(partition, 1L, Long::sum) - 1;
                batches.add(message(partition, offset, random.nextInt(50)), now);
                addedAt.put(partition + "/" + offset, now);
            }
            if (random.nextInt(40) == 0) {
                int partition = random.nextInt(3);
                batches.drop(new Batches.Place("t", partition));
                base.put(partition, next.getOrDefault(partition, 0L));
                taken.put(partition, new ArrayList<>());
            }
            for (List<Message> due : batches.due(now)) {
                int partition = due.getFirst().partition();
                List<Long> before = taken.computeIfAbsent(partition, _ -> new ArrayList<>());
                assertThat(offsets(due).getFirst()).isEqualTo(base.getOrDefault(partition, 0L) + before.size());
                before.addAll(offsets(due));
                assertThat(addedAt.get(partition + "/" + due.getFirst().offset()))
                        .isGreaterThanOrEqualTo(now - wait);
            }
            assertThat(batches.size()).isLessThan(ROOM_MESSAGES);
        }
        batches.due(Long.MAX_VALUE / 2)
                .forEach(due -> taken.computeIfAbsent(due.getFirst().partition(), _ -> new ArrayList<>())
                        .addAll(offsets(due)));
        next.forEach((partition, end) -> {
            long begin = base.getOrDefault(partition, 0L);
            assertThat(taken.getOrDefault(partition, List.of()))
                    .hasSize((int) (end - begin))
                    .isSorted()
                    .doesNotHaveDuplicates();
        });
        assertThat(batches.size()).isZero();
    }

    private static List<Long> offsets(List<Message> messages) {
        return messages.stream().map(Message::offset).toList();
    }

    private static Message message(int partition, long offset, int bytes) {
        return new Message(
                "t", partition, offset, Instant.EPOCH, Optional.empty(), Optional.of(new byte[bytes]), Map.of());
    }
}
