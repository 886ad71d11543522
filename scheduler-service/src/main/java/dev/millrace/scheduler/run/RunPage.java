package dev.millrace.scheduler.run;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Some of the runs that are looked for.
 *
 * @param nextToken empty at the end of the list
 * @param searchedBackTo when the last run was accepted that a search by payloads has looked at, where it goes on with the next page
 */
record RunPage(List<Run> runs, String nextToken, Optional<Instant> searchedBackTo) {
    RunPage {
        requireNonNull(nextToken, "nextToken");
        requireNonNull(searchedBackTo, "searchedBackTo");
        runs = List.copyOf(runs);
    }
}
