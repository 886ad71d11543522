package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.run.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The iterations of one loop, in some 30 bytes each, folded from the rows of their steps. Adding rows again in their order
 * changes nothing. Not thread-safe.
 *
 * <p>An iteration has failed if a step inside has, even if the loop skips failures. Otherwise, a row of the iteration itself
 * says how it ended.
 */
final class LoopFold {
    private static final int CAPACITY_FIRST = 32;
    private static final long ABSENT = Long.MIN_VALUE;
    /** State of an iteration of which no step has ended. */
    private static final StepState BEGUN = StepState.RUNNING;

    private final String key;
    private final EnumMap<StepState, Integer> counts = new EnumMap<>(StepState.class);
    /** Whether a row has named a number. */
    private boolean[] isSeen = new boolean[CAPACITY_FIRST];

    private StepState[] states = new StepState[CAPACITY_FIRST];
    private boolean[] isDecided = new boolean[CAPACITY_FIRST];
    private long[] created = new long[CAPACITY_FIRST];
    private long[] started = new long[CAPACITY_FIRST];
    private long[] ended = new long[CAPACITY_FIRST];
    private int size;
    /** Whether only the size is known, because the run has too many iterations to keep their states. */
    private boolean isDropped;
    /** Number of items of the loop; absent until it has been read, and 0 if it is unknown. */
    private Optional<Integer> total = Optional.empty();

    LoopFold(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** One more than the greatest number that a row has named. */
    int size() {
        return size;
    }

    /** Number of iterations for which there is room in memory. */
    int kept() {
        return states.length;
    }

    /** Forgets the states of all iterations, and those of later ones; how many there are stays known. */
    void drop() {
        isDropped = true;
        counts.clear();
        isSeen = new boolean[0];
        states = new StepState[0];
        isDecided = new boolean[0];
        created = new long[0];
        started = new long[0];
        ended = new long[0];
    }

    boolean isFolded() {
        return size > LoopKeys.INLINE_ITERATIONS_MAX;
    }

    Optional<Integer> total() {
        return total;
    }

    void total(int items) {
        total = Optional.of(items);
    }

    /**
     * Adds a row of a step of an iteration.
     *
     * @param isWhole whether the key is that of the iteration itself
     */
    void add(int number, boolean isWhole, FoldRow row) {
        if (isDropped) {
            size = Math.max(size, number + 1);
            return;
        }
        see(number);
        created[number] = created[number] == ABSENT ? row.created() : Math.min(created[number], row.created());
        if (row.isMarked()) {
            return;
        }
        row.started().ifPresent(start -> {
            started[number] = started[number] == ABSENT ? start : Math.min(started[number], start);
        });
        ended[number] = Math.max(ended[number], row.ended());
        if (isWhole) {
            isDecided[number] = true;
            // A loop that skips failures says that the iteration succeeded, but people look for what failed.
            if (row.state() != StepState.SUCCEEDED || states[number] != StepState.FAILED) {
                become(number, row.state());
            }
        } else if (!isDecided[number]) {
            become(number, worse(states[number], row.state()));
        }
    }

    private static StepState worse(StepState known, StepState state) {
        return switch (known) {
            case FAILED -> known;
            case CANCELED -> state == StepState.FAILED ? state : known;
            case SUCCEEDED -> state == StepState.SKIPPED ? known : state;
            case QUEUED, RUNNING, SKIPPED -> state;
        };
    }

    /** Voids what has ended in an iteration, because it continues. */
    void reset(int number) {
        if (isDropped) {
            return;
        }
        see(number);
        isDecided[number] = false;
        ended[number] = ABSENT;
        become(number, BEGUN);
    }

    /** Forgets all iterations, because the loop begins again. */
    void clear() {
        size = 0;
        counts.clear();
        total = Optional.empty();
    }

    private void see(int number) {
        if (number >= states.length) {
            int capacity = Math.max(number + 1, states.length * 2);
            isSeen = Arrays.copyOf(isSeen, capacity);
            states = Arrays.copyOf(states, capacity);
            isDecided = Arrays.copyOf(isDecided, capacity);
            created = Arrays.copyOf(created, capacity);
            started = Arrays.copyOf(started, capacity);
            ended = Arrays.copyOf(ended, capacity);
        }
        for (; size <= number; size++) {
            isSeen[size] = false;
            states[size] = BEGUN;
            isDecided[size] = false;
            created[size] = ABSENT;
            started[size] = ABSENT;
            ended[size] = ABSENT;
        }
        if (!isSeen[number]) {
            isSeen[number] = true;
            counts.merge(BEGUN, 1, Integer::sum);
        }
    }

    private void become(int number, StepState state) {
        counts.merge(states[number], -1, Integer::sum);
        counts.merge(state, 1, Integer::sum);
        states[number] = state;
    }

    /** The iterations by their states; only the live ones if there are too many. */
    IterationCounts counts(LiveIterations live) {
        EnumMap<StepState, Integer> all = new EnumMap<>(counts);
        live.states().forEach((number, present) -> {
            if (isKnown(number)) {
                all.merge(states[number], -1, Integer::sum);
            }
            all.merge(present, 1, Integer::sum);
        });
        return new IterationCounts(isDropped ? Math.max(size, total.orElse(0)) : total.orElse(0), all, isDropped);
    }

    /**
     * Iterations in the order of their numbers.
     *
     * @param from number of the first one
     * @param wanted states to return; empty for all
     * @throws MillraceException with {@link ErrorCode#TOO_MANY} if only their number is known
     */
    List<Iteration> list(int from, Set<StepState> wanted, int limit, LiveIterations live) {
        if (isDropped) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY,
                    "The loops of this run have more than " + RunFold.ITERATIONS_MAX
                            + " iterations in all, too many to list them. Name one by its number instead, such as "
                            + key
                            + "[0].");
        }
        List<Iteration> found = new ArrayList<>();
        int end = Math.max(size, live.end());
        for (int number = from; number < end && found.size() < limit; number++) {
            Optional<StepState> state = stateOf(number, live);
            if (state.isPresent() && (wanted.isEmpty() || wanted.contains(state.get()))) {
                found.add(new Iteration(number, key + "[" + number + "]", state.get(), times(number, live)));
            }
        }
        return found;
    }

    private Optional<StepState> stateOf(int number, LiveIterations live) {
        StepState present = live.states().get(number);
        if (present != null) {
            return Optional.of(present);
        }
        return isKnown(number) ? Optional.of(states[number]) : Optional.empty();
    }

    private boolean isKnown(int number) {
        return !isDropped && number < size && isSeen[number];
    }

    private Times times(int number, LiveIterations live) {
        Map<Integer, Times> liveTimes = live.times();
        Times present = liveTimes.get(number);
        boolean isKnown = number < size && created[number] != ABSENT;
        if (present != null) {
            return isKnown
                    ? new Times(
                            Instant.ofEpochMilli(created[number]),
                            instant(started[number]).or(present::started),
                            Optional.empty())
                    : present;
        }
        return new Times(
                isKnown ? Instant.ofEpochMilli(created[number]) : Instant.EPOCH,
                instant(started[number]),
                instant(ended[number]));
    }

    private static Optional<Instant> instant(long millis) {
        return millis == ABSENT ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
