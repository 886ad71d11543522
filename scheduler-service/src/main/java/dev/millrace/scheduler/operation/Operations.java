package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.Queue;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.QueueAnswers;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import java.util.UUID;

/** Does things to runs, and tells what was done. Blocking and thread-safe. */
public final class Operations {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Queue queue;
    private final Runs runs;
    private final OperationStore store;

    public Operations(Database database, Queue queue, Runs runs) {
        this.queue = queue;
        this.runs = runs;
        this.store = new OperationStore(database);
    }

    /** The run as it stands after the operation. */
    Run operate(RunId run, RunOperation operation, OperationNote note) {
        QueueAnswers.await(queue.operate(run, operation, note)).orThrow();
        return runs.load(run);
    }

    /** What was done to a run; fails where there is no such run. */
    PageRequest.Page<PastOperation> list(RunId run, PageRequest page) {
        runs.requireKnown(run);
        UUID after = page.after().isEmpty() ? BEFORE_ALL : id(page.after());
        return page.of(
                limit -> store.list(run, after, limit),
                operation -> operation.id().toString());
    }

    private static UUID id(String token) {
        try {
            return UUID.fromString(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
