package dev.millrace.scheduler.run.service;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.run.Run;
import java.util.Optional;

/**
 * The answer to a waiting caller.
 *
 * @param early present if the flow has returned a result while the run continues
 */
record RunAnswer(Run run, Optional<EarlyReturn> early) {
    RunAnswer {
        requireNonNull(run, "run");
        requireNonNull(early, "early");
    }

    static RunAnswer of(Run run) {
        return new RunAnswer(run, Optional.empty());
    }
}
