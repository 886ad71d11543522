package dev.millrace.client;

/**
 * Number of iterations of a loop in each state.
 *
 * @param total number of iterations that the loop will have at most; 0 if that is not known
 * @param queued iterations that wait for a slot or for a time
 * @param running iterations in progress
 * @param skipped iterations of which every step was skipped
 * @param isOnlyLive whether only iterations in progress are counted, because the run has too many others
 */
public record IterationCounts(
        int total, int queued, int running, int succeeded, int failed, int canceled, int skipped, boolean isOnlyLive) {
    static IterationCounts of(dev.millrace.proto.run.v1.IterationCounts counts) {
        return new IterationCounts(
                counts.getTotal(),
                counts.getQueued(),
                counts.getRunning(),
                counts.getSucceeded(),
                counts.getFailed(),
                counts.getCanceled(),
                counts.getSkipped(),
                counts.getOnlyLive());
    }
}
