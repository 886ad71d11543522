package dev.millrace.scheduler.webhook;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.log.RunPhases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.run.service.RunCompletion;
import java.time.Duration;
import java.util.Optional;

/** Waits for the ends of runs. Blocking and thread-safe. */
public final class RunResults {
    private final Runs runs;
    private final RunEvents events;

    public RunResults(Runs runs, RunEvents events) {
        this.runs = runs;
        this.events = events;
    }

    /** The run after its end; empty if it has not ended when {@code wait} or the call ends. */
    Optional<Run> await(RunRef run, Duration wait) {
        try (RunCompletion end = new RunCompletion(events, run.id())) {
            if (runs.phaseOf(run) == RunPhases.Phase.LIVE) {
                end.await(wait);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MillraceException(ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop.", interrupted);
        }
        return runs.phaseOf(run) == RunPhases.Phase.LIVE ? Optional.empty() : Optional.of(runs.loadEnded(run));
    }
}
