package dev.millrace.e2e.storm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All actions of a storm and their times, computed from its seed. The same seed gives the same plan, although each
 * machine reaches it in another state.
 *
 * @param runs runs in the order of their submission
 * @param strikes strikes in their order; each waits for the previous one
 */
record StormPlan(long seed, Duration duration, List<PlannedRun> runs, List<PlannedStrike> strikes) {
    private static final int VALUE_MAX = 100_000;
    private static final int LINES_MAX = 12;
    private static final int STEP_MILLIS_MAX = 250;
    /** Some steps run long enough to be in progress when their worker is lost. */
    private static final int LONG_STEP_MILLIS_MAX = 3_000;

    private static final int LONG_STEPS_PER_CENT = 10;
    private static final int STRIKE_PAUSE_MILLIS_MIN = 500;
    private static final int STRIKE_PAUSE_MILLIS_MAX = 4_000;
    private static final int STRIKE_LENGTH_MILLIS_MAX = 6_000;
    private static final int OPERATION_DELAY_MILLIS_MAX = 3_000;

    StormPlan {
        runs = List.copyOf(runs);
        strikes = List.copyOf(strikes);
    }

    /** @param atMillis milliseconds since the beginning of the storm */
    record PlannedRun(
            int number, Kind kind, long atMillis, int value, int lines, int millis, long operationDelayMillis) {}

    /**
     * @param pauseMillis calm time before the strike
     * @param lengthMillis time for which the parts that are hit stay away
     * @param target number that selects one of several processes
     */
    record PlannedStrike(Strike strike, long pauseMillis, long lengthMillis, int target) {}

    /** @param runsPerSecond average number of runs submitted per second */
    static StormPlan of(
            long seed, Duration duration, double runsPerSecond, Set<Kind> kindsLeftOut, Set<Strike> strikesLeftOut) {
        var random = new Random(seed);
        var runs = new ArrayList<PlannedRun>();
        int count = (int) (duration.toSeconds() * runsPerSecond);
        Kind[] kinds = Stream.of(Kind.values())
                .filter(kind -> !kindsLeftOut.contains(kind))
                .toArray(Kind[]::new);
        for (int i = 0; i < count; i++) {
            boolean isLong = random.nextInt(100) < LONG_STEPS_PER_CENT;
            runs.add(new PlannedRun(
                    i,
                    // First all kinds once, then kinds at random.
                    kinds[i < kinds.length ? i : random.nextInt(kinds.length)],
                    (long) (duration.toMillis() * (i / (double) count)),
                    random.nextInt(VALUE_MAX),
                    1 + random.nextInt(LINES_MAX),
                    random.nextInt(isLong ? LONG_STEP_MILLIS_MAX : STEP_MILLIS_MAX),
                    random.nextInt(OPERATION_DELAY_MILLIS_MAX)));
        }
        var strikes = new ArrayList<PlannedStrike>();
        Strike[] kindsOfStrike = Stream.of(Strike.values())
                .filter(strike -> !strikesLeftOut.contains(strike))
                .toArray(Strike[]::new);
        // The strikes' own lengths are not counted, so there are more strikes than the duration holds.
        for (long millis = 0; kindsOfStrike.length > 0 && millis < duration.toMillis(); ) {
            long pause = random.nextLong(STRIKE_PAUSE_MILLIS_MIN, STRIKE_PAUSE_MILLIS_MAX);
            strikes.add(new PlannedStrike(
                    kindsOfStrike[random.nextInt(kindsOfStrike.length)],
                    pause,
                    random.nextLong(STRIKE_LENGTH_MILLIS_MAX),
                    random.nextInt(Integer.MAX_VALUE)));
            millis += pause;
        }
        return new StormPlan(seed, duration, runs, strikes);
    }
}
