package dev.millrace.scheduler.pin;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import java.util.Optional;

/** Pins runs, which exempts them from retention. Blocking and thread-safe. */
public final class Pins {
    private final PinStore store;
    private final Runs runs;
    private final IdSource ids;

    public Pins(Database database, Runs runs, IdSource ids) {
        this.store = new PinStore(database);
        this.runs = runs;
        this.ids = ids;
    }

    /** Fails with {@link dev.millrace.scheduler.error.ErrorCode#RUN_NOT_FOUND} if there is no such run. */
    Run pin(RunRef run, OperationNote note) {
        store.pin(run, note, ids.nextUuid());
        return runs.load(run);
    }

    /** Fails with {@link dev.millrace.scheduler.error.ErrorCode#RUN_NOT_FOUND} if there is no such run. */
    Run unpin(RunRef run, OperationNote note) {
        Run found = runs.load(run);
        store.unpin(run, note, ids.nextUuid());
        return found;
    }

    PageRequest.Page<PinnedRun> list(Workspace workspace, PageRequest page) {
        Optional<RunId> before = page.after().isEmpty() ? Optional.empty() : Optional.of(runOf(page.after()));
        return page.of(
                limit -> store.list(workspace, before, limit),
                pinned -> pinned.run().toString());
    }

    private static RunId runOf(String token) {
        try {
            return RunId.parse(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
