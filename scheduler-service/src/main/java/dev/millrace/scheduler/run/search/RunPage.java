package dev.millrace.scheduler.run.search;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.run.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One page of the runs that match a search.
 *
 * @param nextToken token of the next page; empty at the end of the list
 * @param searchedBackTo time of acceptance of the last run that a search by payloads examined; the next page continues
 *     there
 */
public record RunPage(List<Run> runs, String nextToken, Optional<Instant> searchedBackTo) {
    public RunPage {
        requireNonNull(nextToken, "nextToken");
        requireNonNull(searchedBackTo, "searchedBackTo");
        runs = List.copyOf(runs);
    }
}
