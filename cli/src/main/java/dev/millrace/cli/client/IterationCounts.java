package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Iterations of a large loop.
 *
 * @param total number that the loop will have at most; 0 if that is not known
 * @param isOnlyLive whether there are too many to know more than those in progress
 */
public record IterationCounts(int total, int done, int failed, int inProgress, boolean isOnlyLive) {
    /** Reads them; empty if they are absent. */
    public static Optional<IterationCounts> find(JsonNode json) {
        if (!json.isObject()) {
            return Optional.empty();
        }
        int failed = json.path("failed").asInt();
        int done = json.path("succeeded").asInt()
                + json.path("skipped").asInt()
                + json.path("canceled").asInt()
                + failed;
        int inProgress = json.path("queued").asInt() + json.path("running").asInt();
        return Optional.of(new IterationCounts(
                json.path("total").asInt(),
                done,
                failed,
                inProgress,
                json.path("only_live").asBoolean()));
    }

    /** For example {@code 37 of 40 done, 2 failed, 3 in progress}. */
    public String text() {
        if (isOnlyLive) {
            return total + " iterations, too many to count"
                    + (inProgress > 0 ? ", " + inProgress + " in progress" : "");
        }
        return done
                + (total > 0 ? " of " + total : "")
                + " done"
                + (failed > 0 ? ", " + failed + " failed" : "")
                + (inProgress > 0 ? ", " + inProgress + " in progress" : "");
    }
}
