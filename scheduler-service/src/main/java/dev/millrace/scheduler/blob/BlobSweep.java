package dev.millrace.scheduler.blob;

import dev.millrace.scheduler.config.BlobStoreKind;
import dev.millrace.scheduler.runtime.Loop;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loop that deletes blobs that no run uses, and what is left of uploads that were never finished. Any number of
 * schedulers may sweep at once: each takes other rows. If one dies, the rows that it has doomed are found again.
 */
final class BlobSweep implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BlobSweep.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    /** Maximum number of blobs that are looked at together. */
    private static final int ROWS_MAX = 100;
    /** Time until a blob in use is looked at again. */
    private static final Duration USED_TIME = Duration.ofHours(6);
    /** Time after which another sweep deletes what this one has doomed. */
    private static final Duration DOOMED_TIME = Duration.ofMinutes(30);

    private final BlobRowStore rows;
    private final Map<BlobStoreKind, BlobStorage> storages;
    private final Loop loop = Loop.of("blob-sweep", this::runOnce);

    BlobSweep(BlobRowStore rows, Map<BlobStoreKind, BlobStorage> storages) {
        this.rows = rows;
        this.storages = Map.copyOf(storages);
    }

    void start() {
        loop.start();
    }

    /** Looks soon, because a blob was deleted. */
    void wake() {
        loop.wake();
    }

    /** Deletes all that has expired. Returns the time until the next run. */
    Duration runOnce() {
        BlobRowStore.Look look;
        do {
            look = rows.sweep(ROWS_MAX, USED_TIME, DOOMED_TIME);
            look.doomed().forEach(this::delete);
        } while (look.lookedAt() == ROWS_MAX && !loop.isClosed());
        return INTERVAL;
    }

    private void delete(BlobRowStore.Doomed blob) {
        BlobStorage storage = storages.get(blob.store());
        if (storage == null) {
            log.atWarn()
                    .addKeyValue("blob", blob.id())
                    .addKeyValue("store", blob.store())
                    .log("A blob cannot be deleted, because this scheduler has no settings for its store");
            return;
        }
        try {
            storage.delete(blob.id());
            rows.forget(blob.id());
        } catch (IOException | RuntimeException failure) {
            log.atWarn()
                    .addKeyValue("blob", blob.id())
                    .addKeyValue("store", blob.store())
                    .setCause(failure)
                    .log("A blob could not be deleted; a later sweep tries again");
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
