package dev.millrace.scheduler.operation;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.QueueAnswers;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.StepInput;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.submission.RerunInputs;
import java.util.Optional;
import java.util.UUID;

/** Performs operations on runs and lists the records of past ones. Blocking and thread-safe. */
public final class Operations {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final RunOperations lanes;
    private final Runs runs;
    private final RerunInputs inputs;
    private final IdSource ids;
    private final OperationStore store;
    private final HistoryStore history;

    public Operations(Database database, RunOperations lanes, Runs runs, RerunInputs inputs, IdSource ids) {
        this.lanes = lanes;
        this.runs = runs;
        this.inputs = inputs;
        this.ids = ids;
        this.store = new OperationStore(database);
        this.history = new HistoryStore(database);
    }

    /** Performs the operation, and returns the run after it. */
    public Run operate(RunRef run, RunOperation operation, OperationNote note) {
        QueueAnswers.await(lanes.operate(runs.resolve(run), operation, note)).orThrow();
        return runs.load(run);
    }

    /**
     * Starts a new run of the version of {@code named}, for the caller of the present call.
     *
     * @param input JSON; empty to keep the input of the original
     */
    Run restart(RunRef named, ByteString input, OperationNote note) {
        RunId original = runs.resolve(named);
        Optional<Json> checked = input.isEmpty() ? Optional.empty() : Optional.of(otherInput(named, input));
        return begin(named, new Rerun(original, ids.nextRun(), Optional.empty(), checked), note);
    }

    /** Starts a new run at a step, for the caller of the present call. */
    Run rerun(RunRef named, RerunRequest asked, OperationNote note) {
        RunId original = runs.resolve(named);
        Optional<Json> input;
        if (asked.flowHash().isPresent()) {
            input = Optional.of(inputs.readForVersion(
                    Access.current(), original(named), asked.flowHash().get(), asked.input()));
        } else {
            input = asked.input().isEmpty() ? Optional.empty() : Optional.of(otherInput(named, asked.input()));
        }
        Optional<StepInput> stepInput = asked.stepInput().isEmpty()
                ? Optional.empty()
                : Optional.of(inputs.readForStep(original(named), asked.flowHash(), asked.step(), asked.stepInput()));
        Rerun rerun = new Rerun(original, ids.nextRun(), Optional.of(asked.step()), input, asked.flowHash(), stepInput);
        return begin(named, rerun, note);
    }

    private RerunInputs.Original original(RunRef named) {
        Run run = runs.load(named);
        Json input = run.payloads().input().orElse(Json.EMPTY_OBJECT);
        return new RerunInputs.Original(run.workspace(), run.kind(), run.target(), run.name(), input);
    }

    private Run begin(RunRef named, Rerun rerun, OperationNote note) {
        QueueAnswers.await(lanes.rerun(rerun, note)).orThrow();
        RunId begun = note.requestId().isEmpty() ? rerun.run() : store.begun(rerun.original(), note.requestId());
        return runs.load(new RunRef(named.workspace(), begun));
    }

    private Json otherInput(RunRef named, ByteString input) {
        Run run = runs.load(named);
        inputs.requireMayChoose(Access.current(), run.workspace(), run.kind(), run.target(), run.name());
        return inputs.read(input, run.asTarget());
    }

    /** Reads a result that a caller provides for a step. An empty value means null. */
    Json result(ByteString given) {
        return given.isEmpty() ? Json.NULL : inputs.readAny(given, "result");
    }

    /**
     * Records of operations on a run. Fails with {@link dev.millrace.scheduler.error.ErrorCode#RUN_NOT_FOUND} if there
     * is no such run.
     */
    PageRequest.Page<PastOperation> list(RunRef named, PageRequest page) {
        RunId run = runs.resolve(named);
        UUID after = page.after().isEmpty() ? BEFORE_ALL : id(page.after());
        return page.of(
                limit -> store.list(run, after, limit),
                operation -> operation.id().toString());
    }

    /**
     * What happened to a run. Fails with {@link dev.millrace.scheduler.error.ErrorCode#RUN_NOT_FOUND} if there is no such
     * run.
     */
    PageRequest.Page<HistoryEntry> history(RunRef named, PageRequest page) {
        RunId run = runs.resolve(named);
        HistoryPlace after = page.after().isEmpty() ? HistoryPlace.BEFORE_ALL : HistoryPlace.of(page.after());
        return page.of(
                limit -> history.list(run, after, limit), entry -> entry.place().token());
    }

    private static UUID id(String token) {
        try {
            return UUID.fromString(token);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
