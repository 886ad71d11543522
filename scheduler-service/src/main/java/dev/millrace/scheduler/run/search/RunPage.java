package dev.millrace.scheduler.run.search;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.run.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Some of the runs that are looked for.
 *
 * @param nextToken empty at the end of the list
 * @param searchedBackTo when the last run was accepted that a search by payloads has looked at, where it goes on with the next page
 */
public record RunPage(List<Run> runs, String nextToken, Optional<Instant> searchedBackTo) {
    public RunPage {
        requireNonNull(nextToken, "nextToken");
        requireNonNull(searchedBackTo, "searchedBackTo");
        runs = List.copyOf(runs);
    }
}
