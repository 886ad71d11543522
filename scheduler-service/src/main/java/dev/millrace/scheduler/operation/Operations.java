package dev.millrace.scheduler.operation;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.QueueAnswers;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.submission.RerunInputs;
import java.util.Optional;
import java.util.UUID;

/** Does things to runs, and tells what was done. Blocking and thread-safe. */
public final class Operations {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final RunOperations lanes;
    private final Runs runs;
    private final RerunInputs inputs;
    private final IdSource ids;
    private final OperationStore store;

    public Operations(Database database, RunOperations lanes, Runs runs, RerunInputs inputs, IdSource ids) {
        this.lanes = lanes;
        this.runs = runs;
        this.inputs = inputs;
        this.ids = ids;
        this.store = new OperationStore(database);
    }

    /** The run as it stands after the operation. */
    Run operate(RunId run, RunOperation operation, OperationNote note) {
        QueueAnswers.await(lanes.operate(run, operation, note)).orThrow();
        return runs.load(run);
    }

    /** The run that begins after the model of another one. */
    Run rerun(RunId original, Optional<String> from, ByteString input, OperationNote note) {
        Optional<Json> checked = input.isEmpty()
                ? Optional.empty()
                : Optional.of(inputs.read(input, runs.load(original).asTarget()));
        Rerun rerun = new Rerun(original, ids.nextRun(), from, checked);
        QueueAnswers.await(lanes.rerun(rerun, note)).orThrow();
        return runs.load(note.requestId().isEmpty() ? rerun.run() : store.begun(original, note.requestId()));
    }

    /** A result that a caller gives for a step; null where it is empty. */
    Json result(ByteString given) {
        return given.isEmpty() ? Json.NULL : inputs.readAny(given, "result");
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
