package dev.millrace.scheduler.run.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.run.Payloads;
import dev.millrace.scheduler.run.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFoldTest {
    private static final StepState[] ENDS = {
        StepState.SUCCEEDED, StepState.FAILED, StepState.CANCELED, StepState.SKIPPED
    };

    @Test
    void countsIterationsAsANaiveReaderDoesWhateverIsReadAgain() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<FoldRow> rows = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            rows.add(row(random, i));
        }
        RunFold fold = new RunFold("");
        int read = 0;
        while (read < rows.size()) {
            int from = Math.max(0, read - random.nextInt(50));
            read = Math.min(rows.size(), read + 1 + random.nextInt(200));
            fold.addAll(rows.subList(from, read));
        }

        Map<Integer, StepState> expected = naive(rows);
        LoopFold loop = fold.find("each").orElseThrow();
        IterationCounts counts = loop.counts(LiveIterations.NONE);
        for (StepState state : StepState.values()) {
            assertThat(counts.of(state)).as(state + " with seed " + seed).isEqualTo((int)
                    expected.values().stream().filter(state::equals).count());
        }
        assertThat(loop.list(0, Set.of(StepState.FAILED), 10_000, LiveIterations.NONE))
                .as("seed " + seed)
                .extracting(Iteration::number)
                .containsExactlyElementsOf(expected.entrySet().stream()
                        .filter(entry -> entry.getValue() == StepState.FAILED)
                        .map(Map.Entry::getKey)
                        .toList());
    }

    private static FoldRow row(Random random, int at) {
        String iteration = "each[" + random.nextInt(60) + "]";
        StepState state = ENDS[random.nextInt(ENDS.length)];
        return switch (random.nextInt(8)) {
            case 0 -> new FoldRow(iteration + ".a#redo", true, StepState.SUCCEEDED, at, Optional.empty(), at);
            case 1 -> row(iteration, state, at);
            case 2 -> row(iteration + ".wait#open", StepState.SUCCEEDED, at);
            default -> row(iteration + ".a", state, at);
        };
    }

    private static Map<Integer, StepState> naive(List<FoldRow> rows) {
        Map<Integer, StepState> whole = new TreeMap<>();
        Map<Integer, EnumMap<StepState, Integer>> inside = new TreeMap<>();
        for (FoldRow row : rows) {
            int number = Integer.parseInt(row.key().substring(5, row.key().indexOf(']')));
            var seen = inside.computeIfAbsent(number, _ -> new EnumMap<>(StepState.class));
            if (row.isReset()) {
                seen.clear();
                whole.remove(number);
            } else if (row.key().endsWith("]")) {
                StepState before = whole.getOrDefault(number, worst(seen));
                boolean isSkipped = row.state() == StepState.SUCCEEDED && before == StepState.FAILED;
                whole.put(number, isSkipped ? before : row.state());
            } else if (!row.isMarked() && !whole.containsKey(number)) {
                seen.merge(row.state(), 1, Integer::sum);
            }
        }
        Map<Integer, StepState> states = new TreeMap<>();
        inside.forEach((number, seen) -> states.put(number, whole.getOrDefault(number, worst(seen))));
        return states;
    }

    private static StepState worst(EnumMap<StepState, Integer> seen) {
        for (StepState state : List.of(StepState.FAILED, StepState.CANCELED, StepState.SUCCEEDED, StepState.SKIPPED)) {
            if (seen.containsKey(state)) {
                return state;
            }
        }
        return StepState.RUNNING;
    }

    @Test
    void knowsTheLoopsAroundWhichAllIterationsAreShown() {
        RunFold fold = new RunFold("");
        for (int outer = 0; outer < 30; outer++) {
            for (int inner = 0; inner < 30; inner++) {
                fold.add(row("a.outer[" + outer + "].inner[" + inner + "].x", StepState.SUCCEEDED, inner));
            }
        }

        assertThat(fold.folded())
                .extracting(LoopFold::key)
                .contains("a.outer", "a.outer[19].inner")
                .hasSize(21);
        RunFold inside = new RunFold("a.outer[25]");
        for (int inner = 0; inner < 30; inner++) {
            inside.add(row("a.outer[25].inner[" + inner + "].x", StepState.SUCCEEDED, inner));
        }
        assertThat(inside.folded()).extracting(LoopFold::key).containsExactly("a.outer[25].inner");
    }

    @Test
    void putsLiveIterationsOverWhatHasEnded() {
        RunFold fold = new RunFold("");
        for (int number = 0; number < 25; number++) {
            fold.add(row("each[" + number + "].a", number == 3 ? StepState.FAILED : StepState.SUCCEEDED, number));
        }
        LiveIterations live = LiveIterations.of(
                "each",
                List.of(
                        live("each[24].b", StepState.RUNNING),
                        live("each[24].c", StepState.QUEUED),
                        live("each[25].a", StepState.QUEUED),
                        live("each2[26].a", StepState.QUEUED)));
        LoopFold loop = fold.find("each").orElseThrow();

        IterationCounts counts = loop.counts(live);

        assertThat(counts.of(StepState.SUCCEEDED)).isEqualTo(23);
        assertThat(counts.of(StepState.FAILED)).isEqualTo(1);
        assertThat(counts.of(StepState.RUNNING)).isEqualTo(1);
        assertThat(counts.of(StepState.QUEUED)).isEqualTo(1);
        assertThat(loop.list(23, Set.of(), 10, live))
                .extracting(Iteration::key, Iteration::state)
                .containsExactly(
                        tuple("each[23]", StepState.SUCCEEDED),
                        tuple("each[24]", StepState.RUNNING),
                        tuple("each[25]", StepState.QUEUED));
    }

    @Test
    void keepsOnlyTheSizesOfMoreIterationsThanMemoryHolds() {
        RunFold fold = new RunFold("");
        int loops = 20;
        int iterations = RunFold.ITERATIONS_MAX / loops + 1;
        for (int outer = 0; outer < loops; outer++) {
            for (int inner = 0; inner < iterations; inner++) {
                fold.add(row("outer[" + outer + "].inner[" + inner + "]", StepState.FAILED, inner));
            }
        }
        fold.add(row("late[30]", StepState.FAILED, 1));
        fold.add(new FoldRow("late[30]#redo", true, StepState.SUCCEEDED, 2, Optional.empty(), 2));

        assertThat(fold.kept()).isZero();
        LoopFold loop = fold.find("outer[3].inner").orElseThrow();
        assertThat(loop.size()).isEqualTo(iterations);
        assertThat(loop.isFolded()).isTrue();
        LiveIterations live =
                LiveIterations.of("outer[3].inner", List.of(live("outer[3].inner[7].b", StepState.RUNNING)));
        assertThat(loop.counts(live)).isEqualTo(new IterationCounts(iterations, Map.of(StepState.RUNNING, 1), true));
        assertThatThrownBy(() -> loop.list(0, Set.of(), 10, live)).hasMessageContaining("too many to list");
        assertThat(fold.folded()).extracting(LoopFold::key).contains("late");
    }

    @Test
    void looksForNoMoreLoopsThanMemoryHolds() {
        RunFold fold = new RunFold("");
        for (int loop = 0; loop <= RunFold.LOOPS_MAX; loop++) {
            fold.add(row("branch.loop" + loop + "[25]", StepState.SUCCEEDED, loop));
        }

        assertThat(fold.folded()).hasSizeLessThanOrEqualTo(RunFold.LOOPS_MAX);
    }

    @Test
    void forgetsALoopThatBeginsAgain() {
        RunFold fold = new RunFold("");
        fold.add(row("a.each[30]", StepState.FAILED, 1));
        fold.add(row("a.each2[30]", StepState.FAILED, 1));
        fold.add(new FoldRow("a.each#redo", true, StepState.SUCCEEDED, 2, Optional.empty(), 2));

        assertThat(fold.folded()).extracting(LoopFold::key).containsExactly("a.each2");
    }

    @ParameterizedTest
    @CsvSource({
        "a, false",
        "a[19].b, false",
        "a[20], true",
        "a[100000].b[1], true",
        "a[1].b[20].c, true",
        "a[left][3], false",
        "a[left].b[77], true"
    })
    void tellsFoldedStepsAsThePatternOfTheDatabaseDoes(String key, boolean isFolded) {
        assertThat(LoopKeys.isFolded(key)).isEqualTo(isFolded);
        assertThat(Pattern.compile(LoopKeys.FOLDED_PATTERN).matcher(key).find()).isEqualTo(isFolded);
    }

    private static FoldRow row(String key, StepState state, long at) {
        return new FoldRow(key, false, state, at, Optional.of(at), at + 1);
    }

    private static Step live(String key, StepState state) {
        return new Step(
                new JobId(new UUID(1, key.hashCode())),
                key,
                JobKind.SCRIPT,
                state,
                1,
                Payloads.NONE,
                Optional.empty(),
                Times.created(Instant.ofEpochMilli(5)),
                "");
    }
}
