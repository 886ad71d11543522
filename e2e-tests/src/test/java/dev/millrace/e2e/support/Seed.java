package dev.millrace.e2e.support;

import java.util.Random;
import java.util.random.RandomGenerator;

/** Source of random numbers for tests: {@code -Dmillrace.test.seed=N} repeats a run. */
public final class Seed {
    private static final String PROPERTY = "millrace.test.seed";

    private Seed() {}

    public static RandomGenerator random(String test) {
        long seed = Long.getLong(PROPERTY, System.nanoTime());
        System.out.println(test + " uses the seed " + seed + "; repeat it with -D" + PROPERTY + "=" + seed);
        return new Random(seed);
    }
}
