package dev.millrace.scheduler.postgres.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class RowBatchesTest {
    private static final int CHARS_MAX = 20;

    @RepeatedTest(100)
    void keepsTheOrderAndTheLimitsAndFillsEachBatch(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int most = 1 + random.nextInt(4);
        List<OutboxRow> rows = new ArrayList<>();
        for (int id = 0; id < random.nextInt(30); id++) {
            int chars = 1 + random.nextInt(CHARS_MAX + 5);
            rows.add(new OutboxRow(
                    id, chars, random.nextInt(8) == 0 ? Optional.empty() : Optional.of("x".repeat(chars))));
        }

        List<List<OutboxRow>> batches = RowBatches.of(rows, most, CHARS_MAX);

        assertThat(batches.stream().flatMap(List::stream)).containsExactlyElementsOf(rows);
        for (int index = 0; index < batches.size(); index++) {
            List<OutboxRow> batch = batches.get(index);
            assertThat(batch).hasSizeBetween(1, most);
            assertThat(fits(batch)).as("batch %s", index).isTrue();
            if (index + 1 < batches.size() && batch.size() < most) {
                List<OutboxRow> longer = new ArrayList<>(batch);
                longer.add(batches.get(index + 1).getFirst());
                assertThat(fits(longer)).as("batch %s with one more", index).isFalse();
            }
        }
    }

    private static boolean fits(List<OutboxRow> batch) {
        return batch.size() == 1
                || (batch.stream().allMatch(row -> row.json().isPresent())
                        && batch.stream().mapToLong(OutboxRow::chars).sum() <= CHARS_MAX);
    }
}
