package dev.millrace.scheduler.submission;

import static dev.millrace.scheduler.database.tables.Tables.RUN_OPTION;
import static dev.millrace.scheduler.database.tables.Tables.SUBMISSION;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.core.graph.Accumulation;
import dev.millrace.scheduler.queue.KeptOptionColumn;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.JSON;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Debounced runs in Postgres, which wait for further submissions.
 *
 * <p>One statement inserts such a run or replaces its input, and increments its version. The new version keeps a
 * scheduler that is about to start the run from using the old input, or the limit selected by it.
 */
final class DebounceStore {
    private static final String MERGE = NamedCodes.expand("""
            insert into job_queue as q (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state, run_after,
                timeout_millis, input, traceparent, debounce_key)
            values (?::smallint, ?, ?, ?, 3, ?, ?, '', ?, ?, ?, 7, now() + ? * interval '1 millisecond', ?, ?::json, ?, ?)
            on conflict (bucket, debounce_key) where state = {JobState.TO_START} and debounce_key is not null do update
            set target = excluded.target, input = excluded.input, priority = excluded.priority, traceparent = excluded.traceparent,
                version = q.version + 1, limit_key = null, run_after = least(excluded.run_after, q.created_at + ? * interval '1 millisecond')
            returning q.id
            """);

    private static final String TAKE_KEY = NamedCodes.expand("""
            update job_queue set debounce_key = ?,
                run_after = least(now() + ? * interval '1 millisecond', created_at + ? * interval '1 millisecond')
            where bucket = ?::smallint and id = ? and version = 0 and state = {JobState.TO_START}
            """);

    private static final String FIND_NEW = NamedCodes.expand("""
            select input from job_queue where bucket = ?::smallint and id = ? and version = 0 and state = {JobState.TO_START} for update
            """);

    private static final String REPLACE = """
            update job_queue set target = ?, input = ?::json, priority = ?, traceparent = ?, version = version + 1, limit_key = null,
                run_after = least(now() + ? * interval '1 millisecond', created_at + ? * interval '1 millisecond')
            where bucket = ?::smallint and id = ?
            """;

    /** Locks the waiting run, so that it neither starts nor changes. */
    private static final String FIND = NamedCodes.expand("""
            select id, input from job_queue where bucket = ?::smallint and debounce_key = ? and state = {JobState.TO_START} for update
            """);

    private static final String KEEP_OPTIONS = KeptOptionColumn.insert(KeptOptionColumn.parameters());

    private final int inputBytesMax;

    private final Database database;

    /** @param inputBytesMax largest input that merging may produce, in bytes */
    DebounceStore(Database database, int inputBytesMax) {
        this.database = database;
        this.inputBytesMax = inputBytesMax;
    }

    /** Inserts a waiting run, or merges with the one that waits. A repeated request id changes nothing. */
    SubmitResult submit(DebouncedRun run, Optional<RequestId> requestId) {
        return database.tryTransaction(dsl -> requestId
                        .flatMap(request -> findEarlier(dsl, run, request))
                        .or(() -> merge(dsl, run, requestId)))
                .orElseGet(() -> acceptedMeanwhile(run, requestId.orElseThrow()));
    }

    /**
     * Gives a run its key, which was not known when the run was accepted. Does nothing if the run has begun.
     *
     * @return the run that waits with this key, and has taken over this start; empty if there was none, so that the given
     *     run waits with it
     */
    Optional<RunId> settle(DebouncedRun late, String key) {
        return database.transaction(dsl -> settle(dsl, late, key));
    }

    private Optional<RunId> settle(DSLContext dsl, DebouncedRun late, String key) {
        lock(dsl, key);
        short bucket = late.id().bucket().value();
        @Nullable Long delayMax = late.debounce().delayMax().map(Duration::toMillis).orElse(null);
        long delay = late.debounce().delay().toMillis();
        Record waiting = dsl.fetchOptional(FIND, bucket, key).orElse(null);
        if (waiting == null) {
            dsl.execute(TAKE_KEY, key, delay, delayMax, bucket, late.id().value());
            return Optional.empty();
        }
        if (dsl.fetchOptional(FIND_NEW, bucket, late.id().value()).isEmpty()) {
            return Optional.empty();
        }
        List<String> gathers = late.debounce().accumulate();
        Json theirs = new Json(waiting.get("input", JSON.class).data());
        Json own = late.run().input();
        Json input = gathers.isEmpty() ? own : Accumulation.merge(gathers, theirs, own);
        if (input.text().getBytes(UTF_8).length > inputBytesMax) {
            dsl.execute(TAKE_KEY, late.key(), delay, delayMax, bucket, late.id().value());
            return Optional.empty();
        }
        UUID other = waiting.get("id", UUID.class);
        dsl.execute(
                REPLACE,
                late.flowHash(),
                input.text(),
                late.run().options().priority(),
                late.run().traceparent(),
                delay,
                delayMax,
                bucket,
                other);
        replaceOptions(dsl, other, late.run().kept());
        return Optional.of(new RunId(other));
    }

    /** Serializes submissions with the same key, because before the first commits there is no run to lock. */
    private static void lock(DSLContext dsl, String key) {
        dsl.fetch("select pg_advisory_xact_lock(hashtextextended(?, 0))", key);
    }

    /**
     * The result of a request with the same id that was accepted at the same moment. This transaction was rolled back.
     */
    private SubmitResult acceptedMeanwhile(DebouncedRun run, RequestId requestId) {
        return database.run(dsl -> findEarlier(dsl, run, requestId))
                .orElseThrow(() -> new IllegalStateException("the submission of " + run.id() + " has gone"));
    }

    /**
     * Inserts the waiting run, or merges with it. Returns empty, to roll back, if another transaction has accepted the
     * request in the meantime.
     */
    private Optional<SubmitResult> merge(DSLContext dsl, DebouncedRun debounced, Optional<RequestId> requestId) {
        if (debounced.isComputed() || !debounced.debounce().accumulate().isEmpty()) {
            lock(dsl, debounced.key());
        }
        Json input =
                debounced.debounce().accumulate().isEmpty() ? debounced.run().input() : gathered(dsl, debounced);
        UUID accepted = dsl.fetchSingle(
                        MERGE,
                        debounced.id().bucket().value(),
                        debounced.id().value(),
                        debounced.id().value(),
                        debounced.workspace().name(),
                        debounced.flowHash(),
                        debounced.run().name(),
                        debounced.run().options().tag(),
                        debounced.run().options().priority(),
                        debounced.id().orderKey(),
                        debounced.delay().toMillis(),
                        debounced.run().options().timeout().toMillis(),
                        input.text(),
                        debounced.run().traceparent(),
                        debounced.key(),
                        debounced.debounce().delayMax().map(Duration::toMillis).orElse(null))
                .get(0, UUID.class);
        replaceOptions(dsl, accepted, debounced.run().kept());
        boolean isFirst = requestId
                .map(request -> record(dsl, debounced, request, accepted))
                .orElse(true);
        return isFirst ? Optional.of(new SubmitResult.Accepted(List.of(new RunId(accepted)))) : Optional.empty();
    }

    /** Merges the input with the input that the waiting run has gathered. */
    private Json gathered(DSLContext dsl, DebouncedRun debounced) {
        Json own = debounced.run().input();
        Json all = dsl.fetchOptional(FIND, debounced.id().bucket().value(), debounced.key())
                .map(row -> Accumulation.merge(
                        debounced.debounce().accumulate(),
                        new Json(row.get("input", JSON.class).data()),
                        own))
                .orElse(own);
        int bytes = all.text().getBytes(UTF_8).length;
        if (bytes > inputBytesMax) {
            throw MillraceException.invalid(
                    "spec.input",
                    "has " + bytes + " bytes together with what it is merged with (expected: at most " + inputBytesMax
                            + "): submit it again once that run has begun");
        }
        return all;
    }

    /** Replaces the options of the waiting run, because the options of the last submission count. */
    private static void replaceOptions(DSLContext dsl, UUID run, KeptOptions options) {
        dsl.deleteFrom(RUN_OPTION).where(RUN_OPTION.RUN_ID.eq(run)).execute();
        if (!options.isEmpty()) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(run);
            KeptOptionColumn.ALL.forEach(column -> row.add(column.write(options)));
            dsl.execute(KEEP_OPTIONS, row.toArray());
        }
    }

    /** Records the request id. Returns false if it was recorded before. */
    private static boolean record(DSLContext dsl, DebouncedRun run, RequestId request, UUID accepted) {
        return dsl.insertInto(SUBMISSION)
                        .set(SUBMISSION.WORKSPACE, run.workspace().name())
                        .set(SUBMISSION.FOLDER, run.folder())
                        .set(SUBMISSION.REQUEST_ID, request.value())
                        .set(SUBMISSION.FINGERPRINT, request.fingerprintBytes())
                        .set(SUBMISSION.RUN_IDS, new UUID[] {accepted})
                        .onConflictDoNothing()
                        .execute()
                > 0;
    }

    private static Optional<SubmitResult> findEarlier(DSLContext dsl, DebouncedRun run, RequestId request) {
        return dsl.selectFrom(SUBMISSION)
                .where(SUBMISSION.WORKSPACE.eq(run.workspace().name()))
                .and(SUBMISSION.REQUEST_ID.eq(request.value()))
                .and(SUBMISSION.FOLDER.in(run.folder(), RequestId.ANY_FOLDER))
                .fetchOptional(row -> Arrays.equals(row.get(SUBMISSION.FINGERPRINT), request.fingerprintBytes())
                        ? new SubmitResult.Duplicate(Arrays.stream(row.get(SUBMISSION.RUN_IDS))
                                .map(RunId::new)
                                .toList())
                        : new SubmitResult.Conflict());
    }
}
