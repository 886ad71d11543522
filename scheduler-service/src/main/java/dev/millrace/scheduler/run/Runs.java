package dev.millrace.scheduler.run;

import dev.millrace.scheduler.access.RunNames;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.log.RunPhases;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds single runs as callers name them; what all requests that name a run begin with. A run of another workspace is not found. Blocking and
 * thread-safe.
 */
public final class Runs implements RunPhases, RunNames {
    private final RunStore store;
    private final StartedJobs started;

    public Runs(Database database, StartedJobs started) {
        this.store = new RunStore(database);
        this.started = started;
    }

    @Override
    public Phase phaseOf(RunRef run) {
        return store.findLiveness(run)
                .map(live -> live ? Phase.LIVE : Phase.ENDED)
                .orElse(Phase.UNKNOWN);
    }

    @Override
    public Optional<String> findName(RunRef run) {
        return store.findName(run);
    }

    @Override
    public RunId resolve(RunRef run) {
        if (phaseOf(run) == Phase.UNKNOWN) {
            throw notFound(run);
        }
        return run.id();
    }

    /** The candidates that exist, found in one query. */
    public Set<RunRef> knownAmong(List<RunRef> candidates) {
        return store.knownAmong(candidates);
    }

    /** The run with its payloads. Fails with {@link ErrorCode#RUN_NOT_FOUND} if there is no such run. */
    public Run load(RunRef run) {
        return store.find(run).map(found -> found.startedAsIn(started)).orElseThrow(() -> notFound(run));
    }

    /** Loads a run that has probably ended, for which it takes one query. */
    public Run loadEnded(RunRef run) {
        return store.findLikelyEnded(run)
                .map(found -> found.startedAsIn(started))
                .orElseThrow(() -> notFound(run));
    }

    private static MillraceException notFound(RunRef run) {
        return new MillraceException(ErrorCode.RUN_NOT_FOUND, "There is no run " + run.id() + ".");
    }
}
