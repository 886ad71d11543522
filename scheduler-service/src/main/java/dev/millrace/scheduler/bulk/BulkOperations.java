package dev.millrace.scheduler.bulk;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.search.RunFilter;
import dev.millrace.scheduler.run.search.RunSearches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Accepts bulk operations, reports their progress and cancels them. Blocking and thread-safe. */
public final class BulkOperations {
    /** Maximum number of runs of one bulk operation. */
    static final int RUNS_MAX = 100_000;
    /** Maximum number of bulk operations of one workspace that may be running at once. */
    private static final int RUNNING_MAX = 100;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final BulkStore bulks;
    private final BulkItemStore items;
    private final RunSearches runs;
    private final BulkWork work;

    public BulkOperations(Database database, RunSearches runs, BulkWork work) {
        this.bulks = new BulkStore(database);
        this.items = new BulkItemStore(database);
        this.runs = runs;
        this.work = work;
    }

    /**
     * The runs that match the filter now.
     *
     * @throws MillraceException if more than {@link #RUNS_MAX} match
     */
    List<RunId> select(Workspace workspace, RunFilter filter) {
        List<RunId> found = runs.select(workspace, filter, RUNS_MAX + 1);
        if (found.size() > RUNS_MAX) {
            throw MillraceException.invalid(
                    "filter", "matches more than " + RUNS_MAX + " runs: narrow it, for example by time");
        }
        return found;
    }

    /** Accepts the operation, or finds the one accepted earlier under the same request id. */
    Bulk start(NewBulk bulk) {
        return switch (bulks.accept(bulk, RUNNING_MAX)) {
            case ACCEPTED -> {
                work.wake();
                yield load(bulk.workspace(), bulk.id());
            }
            case REPEATED -> repeated(bulk);
            case BUSY ->
                throw MillraceException.overloaded(
                        "The workspace has " + RUNNING_MAX
                                + " bulk operations running; nothing was accepted. Wait for one to end, or cancel one.",
                        RETRY_AFTER);
        };
    }

    /**
     * The operation that an earlier call accepted under this request id; empty without a request id.
     *
     * @throws MillraceException if the earlier request was a different one
     */
    Optional<Bulk> findRepeated(Workspace workspace, OperationNote note, String fingerprint) {
        return note.requestId().isEmpty()
                ? Optional.empty()
                : bulks.findRequested(workspace, note.requestId()).map(earlier -> {
                    if (!earlier.fingerprint().equals(fingerprint)) {
                        throw new MillraceException(
                                ErrorCode.REQUEST_ID_REUSED,
                                "The request id belongs to another bulk operation: use a new one for each operation.");
                    }
                    return load(workspace, earlier.id());
                });
    }

    private Bulk repeated(NewBulk bulk) {
        return findRepeated(bulk.workspace(), bulk.note(), bulk.fingerprint())
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.INTERNAL, "The bulk operation " + bulk.id() + " exists already."));
    }

    /** Fails with {@link ErrorCode#BULK_OPERATION_NOT_FOUND} if the workspace has no such operation. */
    Bulk load(Workspace workspace, BulkId id) {
        return bulks.find(workspace, id).orElseThrow(() -> notFound(id));
    }

    PageRequest.Page<Bulk> list(Workspace workspace, PageRequest page) {
        Optional<BulkId> before = page.after().isEmpty() ? Optional.empty() : Optional.of(lastBulk(page.after()));
        return page.of(
                limit -> bulks.list(workspace, before, limit), bulk -> bulk.id().toString());
    }

    /** Runs of an operation in the given states; no states means all. */
    PageRequest.Page<BulkItem> items(Workspace workspace, BulkId id, Set<Short> states, PageRequest page) {
        load(workspace, id);
        Optional<RunId> after = page.after().isEmpty() ? Optional.empty() : Optional.of(lastRun(page.after()));
        return page.of(
                limit -> items.list(id, states, after, limit),
                item -> item.run().toString());
    }

    /**
     * Cancels the operation and returns its new state. Canceling twice succeeds.
     *
     * @throws MillraceException if the operation has ended on its own
     */
    Bulk cancel(Workspace workspace, BulkId id, OperationNote note) {
        load(workspace, id);
        boolean isCanceled = bulks.cancel(id, note);
        Bulk bulk = load(workspace, id);
        if (!isCanceled) {
            throw new MillraceException(
                    ErrorCode.BULK_OPERATION_ENDED,
                    "The bulk operation " + id + " has already ended: there is nothing left to cancel.");
        }
        return bulk;
    }

    private static MillraceException notFound(BulkId id) {
        return new MillraceException(ErrorCode.BULK_OPERATION_NOT_FOUND, "There is no bulk operation " + id + ".");
    }

    private static BulkId lastBulk(String after) {
        try {
            return BulkId.parse(after);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }

    private static RunId lastRun(String after) {
        try {
            return RunId.parse(after);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
