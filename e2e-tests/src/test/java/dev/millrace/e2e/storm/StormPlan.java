package dev.millrace.e2e.storm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All that a storm does and when, worked out from its seed: the same seed makes the same plan, although no two machines meet it at the same instant.
 *
 * @param runs in the order of their submission
 * @param strikes in the order in which they come; each waits for the one before it
 */
record StormPlan(long seed, Duration duration, List<PlannedRun> runs, List<PlannedStrike> strikes) {
    private static final int VALUE_MAX = 100_000;
    private static final int LINES_MAX = 12;
    private static final int STEP_MILLIS_MAX = 250;
    /** Now and then a step is long enough to be there when its worker is lost. */
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

    /** @param atMillis since the begin of the storm */
    record PlannedRun(
            int number, Kind kind, long atMillis, int value, int lines, int millis, long operationDelayMillis) {}

    /**
     * @param pauseMillis how long the storm is calm before it
     * @param lengthMillis how long what it hits stays away
     * @param target which of several processes it hits
     */
    record PlannedStrike(Strike strike, long pauseMillis, long lengthMillis, int target) {}

    /** @param runsPerSecond how many runs are submitted, on average */
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
                    // All kinds, each as often as the others, in an order of their own.
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
        // Without their lengths: more than the duration holds.
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
