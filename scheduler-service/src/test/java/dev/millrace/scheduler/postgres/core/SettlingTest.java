package dev.millrace.scheduler.postgres.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Transactions that lock a table, take numbers and commit in any order, against a reader that relies on {@link Settling}. */
class SettlingTest {
    private static final int STEPS = 200;

    @RepeatedTest(100)
    void noRowAppearsBehindASettledNumber(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        TreeMap<Integer, List<Long>> open = new TreeMap<>();
        TreeSet<Long> visible = new TreeSet<>();
        long sequence = 0;
        long read = 0;
        Settling settling = new Settling(0, Set.of());
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(5)) {
                case 0 -> open.put(step, new ArrayList<>());
                case 1 -> {
                    if (!open.isEmpty()) {
                        any(open, random).add(++sequence);
                    }
                }
                case 2, 3 -> {
                    if (!open.isEmpty()) {
                        int ended = open.keySet().stream()
                                .skip(random.nextInt(open.size()))
                                .findFirst()
                                .orElseThrow();
                        List<Long> added = open.remove(ended);
                        if (random.nextInt(4) > 0) {
                            assertThat(added)
                                    .as("seed %s", repetition.getCurrentRepetition())
                                    .allMatch(isAfter(read));
                            visible.addAll(added);
                        }
                    }
                }
                default -> {
                    settling = settling.isSettled()
                            ? new Settling(visible.isEmpty() ? 0 : visible.last(), names(open))
                            : settling.after(names(open));
                    read = settling.isSettled() ? settling.last() : read;
                }
            }
        }
        assertThat(read).isPositive();
    }

    private static Predicate<Long> isAfter(long read) {
        return number -> number > read;
    }

    private static List<Long> any(Map<Integer, List<Long>> open, Random random) {
        return List.copyOf(open.values()).get(random.nextInt(open.size()));
    }

    private static Set<String> names(Map<Integer, List<Long>> open) {
        Set<String> names = new TreeSet<>();
        open.keySet().forEach(one -> names.add("t" + one));
        return names;
    }
}
