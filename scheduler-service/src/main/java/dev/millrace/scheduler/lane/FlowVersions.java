package dev.millrace.scheduler.lane;

/** Versions of a run's flow: they count its transitions, and the retries of the run. */
public final class FlowVersions {
    /** Bits that count transitions: more than a flow can make before it ends. Each retry increments the bits above. */
    private static final int VERSIONS_A_LIFE_BITS = 40;

    private FlowVersions() {}

    /**
     * The version from which a retried run continues, greater than any before.
     *
     * @param number 1 for the first retry
     */
    public static long ofRetry(int number) {
        return (long) number << VERSIONS_A_LIFE_BITS;
    }

    /** Whether a run with this version has been retried. */
    public static boolean isOfRetry(long version) {
        return version >> VERSIONS_A_LIFE_BITS > 0;
    }
}
