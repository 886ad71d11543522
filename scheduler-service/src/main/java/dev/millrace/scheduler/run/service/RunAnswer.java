package dev.millrace.scheduler.run.service;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.run.Run;
import java.util.Optional;

/**
 * What a caller that waits is told.
 *
 * @param early present where the flow has returned something and the run goes on
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
