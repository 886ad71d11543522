package dev.millrace.scheduler.run.search;

import static java.util.Objects.requireNonNull;

/**
 * Selects the runs of a bulk operation.
 *
 * @param isOfFlows whether only runs of flows are meant, since a script may have the name of a flow
 */
public record RunFilter(RunSearch search, boolean isOfFlows) {
    public RunFilter {
        requireNonNull(search, "search");
    }
}
