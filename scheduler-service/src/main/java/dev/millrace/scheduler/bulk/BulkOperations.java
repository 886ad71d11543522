package dev.millrace.scheduler.bulk;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.search.RunFilter;
import dev.millrace.scheduler.run.search.RunSearches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Accepts operations on many runs, tells where they stand, and cancels them. Blocking and thread-safe. */
public final class BulkOperations {
    /** Most runs of one operation. */
    static final int RUNS_MAX = 100_000;
    /** Most operations of one workspace that may be running. */
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

    /** The runs that fit now; fails where they are too many. */
    List<RunId> select(String workspace, RunFilter filter) {
        List<RunId> found = runs.select(workspace, filter, RUNS_MAX + 1);
        if (found.size() > RUNS_MAX) {
            throw MillraceException.invalid(
                    "filter", "fits more than " + RUNS_MAX + " runs: narrow it, for example by time");
        }
        return found;
    }

    /** The operation as accepted, now or by an earlier call with the same request id. */
    Bulk start(NewBulk bulk) {
        return switch (bulks.accept(bulk, RUNNING_MAX)) {
            case ACCEPTED -> {
                work.wake();
                yield load(bulk.id());
            }
            case REPEATED -> repeated(bulk);
            case BUSY ->
                throw MillraceException.overloaded(
                        "The workspace has " + RUNNING_MAX
                                + " bulk operations running; nothing was accepted. Wait for one to end, or cancel one.",
                        RETRY_AFTER);
        };
    }

    /** What was accepted under a request id before; fails where that was something else. */
    Optional<Bulk> findRepeated(String workspace, OperationNote note, String fingerprint) {
        return note.requestId().isEmpty()
                ? Optional.empty()
                : bulks.findRequested(workspace, note.requestId()).map(earlier -> {
                    if (!earlier.fingerprint().equals(fingerprint)) {
                        throw new MillraceException(
                                ErrorCode.REQUEST_ID_REUSED,
                                "The request id was used before, for another bulk operation: take a new one for each.");
                    }
                    return load(earlier.id());
                });
    }

    private Bulk repeated(NewBulk bulk) {
        return findRepeated(bulk.workspace(), bulk.note(), bulk.fingerprint())
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.INTERNAL, "The bulk operation " + bulk.id() + " exists already."));
    }

    /** The operation as it stands; fails where there is none. */
    private Bulk load(BulkId id) {
        return bulks.find(id).orElseThrow(() -> notFound(id));
    }

    /** The operation as it stands; fails where the workspace has none such. */
    Bulk load(String workspace, BulkId id) {
        return bulks.find(id).filter(bulk -> bulk.workspace().equals(workspace)).orElseThrow(() -> notFound(id));
    }

    PageRequest.Page<Bulk> list(String workspace, PageRequest page) {
        Optional<BulkId> before = page.after().isEmpty() ? Optional.empty() : Optional.of(lastBulk(page.after()));
        return page.of(
                limit -> bulks.list(workspace, before, limit), bulk -> bulk.id().toString());
    }

    /** Runs of an operation in some states, or in all where none is named. */
    PageRequest.Page<BulkItem> items(String workspace, BulkId id, Set<Short> states, PageRequest page) {
        load(workspace, id);
        Optional<RunId> after = page.after().isEmpty() ? Optional.empty() : Optional.of(lastRun(page.after()));
        return page.of(
                limit -> items.list(id, states, after, limit),
                item -> item.run().toString());
    }

    /** The operation after it was canceled; fails where it has ended. */
    Bulk cancel(String workspace, BulkId id, OperationNote note) {
        load(workspace, id);
        boolean isCanceled = bulks.cancel(id, note);
        Bulk bulk = load(id);
        if (!isCanceled) {
            throw new MillraceException(
                    ErrorCode.BULK_OPERATION_ENDED,
                    "The bulk operation " + id + " has come to all its runs already: there is nothing to cancel.");
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
