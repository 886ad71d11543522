package dev.millrace.scheduler.data;

import dev.millrace.scheduler.database.Database;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What nobody needs any more: mutexes that ran out, data of runs that ended long ago, and results kept for long enough. */
public final class Leftovers {
    private static final Logger log = LoggerFactory.getLogger(Leftovers.class);
    private static final Duration MUTEXES_KEPT = Duration.ofHours(1);
    /** A run that has ended may be retried from a step, which then finds what the steps before it left. */
    private static final Duration RUN_DATA_KEPT = Duration.ofDays(30);

    private final MutexStore mutexes;
    private final RunDataStore data;
    private final ResultCacheStore cache;
    private final ErasedRunStore erasedRuns;

    public Leftovers(Database database) {
        this.mutexes = new MutexStore(database);
        this.data = new RunDataStore(database);
        this.cache = new ResultCacheStore(database);
        this.erasedRuns = new ErasedRunStore(database);
    }

    /** Drops it, batch by batch. */
    public void sweep() {
        int mutexesGone = inBatches(() -> mutexes.sweep(MUTEXES_KEPT), MutexStore.SWEEP_BATCH_MAX);
        int dataGone = inBatches(() -> data.sweep(RUN_DATA_KEPT), RunDataStore.SWEEP_BATCH_MAX);
        int resultsGone = inBatches(cache::sweepResults, ResultCacheStore.SWEEP_BATCH_MAX)
                + inBatches(cache::sweepCalls, ResultCacheStore.SWEEP_BATCH_MAX);
        int erasedGone = inBatches(erasedRuns::sweep, ErasedRunStore.SWEEP_BATCH_MAX);
        log.atDebug()
                .addKeyValue("mutexes", mutexesGone)
                .addKeyValue("data", dataGone)
                .addKeyValue("results", resultsGone)
                .addKeyValue("erased_runs", erasedGone)
                .log("What nobody needs any more is dropped");
    }

    private static int inBatches(IntSupplier batch, int batchMax) {
        int all = 0;
        int gone;
        do {
            gone = batch.getAsInt();
            all += gone;
        } while (gone == batchMax);
        return all;
    }
}
