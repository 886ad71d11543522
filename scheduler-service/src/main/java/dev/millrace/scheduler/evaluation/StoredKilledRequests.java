package dev.millrace.scheduler.evaluation;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.evaluator.KilledRequests;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that killed their evaluator process, stored in the database so that a restarted scheduler does not run them
 * again.
 *
 * <p>Lookups use only memory. Requests that other schedulers add after this one has started remain unknown here until
 * they kill a process here as well.
 */
public final class StoredKilledRequests implements KilledRequests {
    private static final Logger log = LoggerFactory.getLogger(StoredKilledRequests.class);

    private final KilledRequestStore store;
    private final BoundedCache<String, String> known = new BoundedCache<>(KilledRequestStore.ROWS_MAX);
    private volatile boolean empty = true;

    private StoredKilledRequests(KilledRequestStore store) {
        this.store = store;
    }

    /** Loads the stored requests. */
    public static StoredKilledRequests load(Database database) {
        StoredKilledRequests requests = new StoredKilledRequests(new KilledRequestStore(database));
        requests.store.list().forEach(killed -> requests.keep(killed.key(), killed.reason()));
        return requests;
    }

    private void keep(String key, String reason) {
        known.put(key, reason);
        empty = false;
    }

    @Override
    public boolean isEmpty() {
        return empty;
    }

    @Override
    public Optional<String> find(String key) {
        return known.find(key);
    }

    @Override
    public void add(String key, String reason) {
        keep(key, reason);
        try {
            store.add(key, reason);
        } catch (MillraceException databaseAway) {
            log.atWarn()
                    .addKeyValue("reason", databaseAway.getMessage())
                    .log("A request that kills its evaluators is remembered in memory only");
        }
    }
}
