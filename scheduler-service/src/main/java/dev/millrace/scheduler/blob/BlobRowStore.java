package dev.millrace.scheduler.blob;

import dev.millrace.scheduler.config.BlobStoreKind;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.jobapi.LeaseCredential;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/**
 * The rows of blobs. Each method is one statement; those for jobs are fenced by the lease.
 *
 * <p>Whoever wants a blob to stay moves {@code expires_at} of its row. The sweep locks the rows that it dooms, and looks
 * at {@code expires_at} again once it has the lock. So either the sweep sees the change, or the change finds a doomed
 * row and the blob is not found.
 */
final class BlobRowStore {
    /** Columns of a blob, in the order of {@link #blob}. */
    private static final String COLUMNS = "b.id, b.store, b.media_type, b.bytes, b.sha256";

    private static final String LATER = "greatest(b.expires_at, now() + ?::bigint * interval '1 millisecond')";

    private static final String BEGIN = """
            insert into blob (id, workspace, store, media_type, created_at, expires_at)
            select ?::uuid, %s, ?::text, ?::text, now(), now() + ?::bigint * interval '1 millisecond'%s
            returning workspace
            """;
    private static final String BEGIN_FOR_CALLER = BEGIN.formatted("?::text", "");
    private static final String BEGIN_FOR_JOB =
            LeaseCredential.LEASE + BEGIN.formatted("lease.workspace", " from lease");
    private static final String ABANDON =
            "update blob set is_doomed = true, expires_at = now() where id = ?::uuid and bytes is null";

    private static final String RENEW = """
            update blob set expires_at = now() + ?::bigint * interval '1 millisecond' where id = ?::uuid and not is_doomed
            """;

    private static final String COMPLETE = """
            update blob b set bytes = ?, sha256 = ?, expires_at = now() + ?::bigint * interval '1 millisecond'
            """;
    private static final String COMPLETE_FOR_CALLER =
            COMPLETE + "where b.id = ?::uuid and b.bytes is null and not b.is_doomed";
    private static final String COMPLETE_FOR_JOB = LeaseCredential.LEASE + ", done as (" + COMPLETE + """
                from lease where b.id = ?::uuid and b.workspace = lease.workspace and b.bytes is null and not b.is_doomed
                returning b.id
            ), used as (
                insert into blob_use (blob_id, run_id) select done.id, lease.run_id from done, lease
            )
            select (select count(*) from lease) as leases, (select count(*) from done) as done
            """;

    private static final String TOUCH = "update blob b set expires_at = " + LATER;
    private static final String OF_WORKSPACE =
            "b.id = ?::uuid and b.workspace = %s and b.bytes is not null and not b.is_doomed";
    private static final String LOAD_FOR_CALLER =
            TOUCH + " where " + OF_WORKSPACE.formatted("?::text") + " returning " + COLUMNS;
    private static final String LOAD_OF_RUN = TOUCH + " from blob_use u where " + OF_WORKSPACE.formatted("?::text")
            + " and u.blob_id = b.id and u.run_id = ?::uuid returning " + COLUMNS;
    private static final String LOAD_FOR_JOB = LeaseCredential.LEASE + ", found as (" + TOUCH + " from lease where "
            + OF_WORKSPACE.formatted("lease.workspace") + " returning " + COLUMNS + ") " + """
            , used as (
                insert into blob_use (blob_id, run_id) select found.id, lease.run_id from found, lease on conflict do nothing
            )
            select b.id, b.store, b.media_type, b.bytes, b.sha256 from lease left join found b on true
            """;

    private static final String GET = "select " + COLUMNS + " from blob b where " + OF_WORKSPACE.formatted("?::text");
    private static final String LIST = "select " + COLUMNS + """
            , b.created_at, exists (select from blob_use u where u.blob_id = b.id) as is_used
            from blob b where b.workspace = ? and b.bytes is not null and not b.is_doomed and b.id < ?::uuid
            order by b.id desc limit ?
            """;
    private static final String DELETE = "update blob b set is_doomed = true, expires_at = now() where "
            + OF_WORKSPACE.formatted("?::text") + " returning " + COLUMNS;

    private static final String SWEEP = """
            with expired as materialized (
                select b.id, not b.is_doomed and exists (select from blob_use u where u.blob_id = b.id) as is_used
                from blob b where b.expires_at < now() order by b.expires_at limit ? for update skip locked
            ), kept as (
                update blob b set expires_at = now() + ?::bigint * interval '1 millisecond'
                from expired e where b.id = e.id and e.is_used
            ), doomed as (
                update blob b set is_doomed = true, expires_at = now() + ?::bigint * interval '1 millisecond'
                from expired e where b.id = e.id and not e.is_used returning b.id, b.store
            )
            select d.id, d.store, (select count(*) from expired) as looked_at from (values (1)) as one left join doomed d on true
            """;
    private static final String FORGET = "delete from blob where id = ?::uuid and is_doomed";

    private final Database database;

    BlobRowStore(Database database) {
        this.database = database;
    }

    /**
     * Inserts the row of a blob whose upload begins. Returns the workspace of the blob; empty if the job has lost its
     * lease.
     */
    Optional<Workspace> begin(BlobId id, BlobOwner owner, BlobStoreKind store, String mediaType, Duration life) {
        return database.run(dsl -> switch (owner) {
                    case BlobOwner.Job(LeaseCredential lease) ->
                        dsl.fetchOptional(
                                BEGIN_FOR_JOB,
                                lease.job().bucket().value(),
                                lease.job().value(),
                                lease.token().value(),
                                id.value(),
                                code(store),
                                mediaType,
                                life.toMillis());
                    case BlobOwner.Caller(Workspace workspace) ->
                        dsl.fetchOptional(
                                BEGIN_FOR_CALLER,
                                id.value(),
                                workspace.name(),
                                code(store),
                                mediaType,
                                life.toMillis());
                })
                .map(row -> Workspace.of(row.get("workspace", String.class)));
    }

    /** Dooms an upload that was refused, so that the sweep deletes at once what it has stored. */
    void abandon(BlobId id) {
        database.run(dsl -> dsl.execute(ABANDON, id.value()));
    }

    /** Keeps a blob that is being uploaded. Returns false if the sweep was faster. */
    boolean renew(BlobId id, Duration life) {
        return 1 == database.run(dsl -> dsl.execute(RENEW, life.toMillis(), id.value()));
    }

    /** Result of an attempt to complete a blob. */
    enum Completion {
        DONE,
        /** The sweep has taken the unfinished blob. */
        SWEPT,
        LEASE_LOST
    }

    /** Makes a blob readable, since all its bytes are durable. */
    Completion complete(BlobId id, BlobOwner owner, long bytes, byte[] sha256, Duration life) {
        return database.run(dsl -> switch (owner) {
            case BlobOwner.Job(LeaseCredential lease) -> {
                Record row = dsl.fetchSingle(
                        COMPLETE_FOR_JOB,
                        lease.job().bucket().value(),
                        lease.job().value(),
                        lease.token().value(),
                        bytes,
                        sha256,
                        life.toMillis(),
                        id.value());
                if (row.get("leases", Long.class) == 0) {
                    yield Completion.LEASE_LOST;
                }
                yield row.get("done", Long.class) == 0 ? Completion.SWEPT : Completion.DONE;
            }
            case BlobOwner.Caller _ ->
                dsl.execute(COMPLETE_FOR_CALLER, bytes, sha256, life.toMillis(), id.value()) == 0
                        ? Completion.SWEPT
                        : Completion.DONE;
        });
    }

    /** The blob, which is kept for some time. Empty if the workspace has no such blob. */
    Optional<Blob> find(Workspace workspace, BlobId id, Duration life) {
        return database.run(dsl -> dsl.fetchOptional(LOAD_FOR_CALLER, life.toMillis(), id.value(), workspace.name()))
                .map(BlobRowStore::blob);
    }

    /** The blob. Empty if the workspace has no such blob. */
    Optional<Blob> get(Workspace workspace, BlobId id) {
        return database.run(dsl -> dsl.fetchOptional(GET, id.value(), workspace.name()))
                .map(BlobRowStore::blob);
    }

    /** Blobs of a workspace, the newest first, from the one after {@code before} on. */
    List<ListedBlob> list(Workspace workspace, UUID before, int rowsMax) {
        return database.run(dsl -> dsl.fetch(LIST, workspace.name(), before, rowsMax))
                .map(row -> new ListedBlob(
                        blob(row),
                        row.get("created_at", OffsetDateTime.class).toInstant(),
                        row.get("is_used", Boolean.class)));
    }

    /** Dooms a blob, whoever uses it, so that the sweep deletes it next. Empty if the workspace has no such blob. */
    Optional<Blob> delete(Workspace workspace, BlobId id) {
        return database.run(dsl -> dsl.fetchOptional(DELETE, id.value(), workspace.name()))
                .map(BlobRowStore::blob);
    }

    /** The blob, if the run uses it. It is kept for some time. */
    Optional<Blob> find(RunRef run, BlobId id, Duration life) {
        return database.run(dsl -> dsl.fetchOptional(
                        LOAD_OF_RUN,
                        life.toMillis(),
                        id.value(),
                        run.workspace().name(),
                        run.id().value()))
                .map(BlobRowStore::blob);
    }

    /** What a job finds. */
    sealed interface Found {
        /** The blob; empty if the workspace has none with the id. */
        record Answer(Optional<Blob> blob) implements Found {}

        record LeaseLost() implements Found {}
    }

    /** The blob, which the run of the job uses from now on. */
    Found find(LeaseCredential lease, BlobId id, Duration life) {
        return database.run(dsl -> dsl.fetchOptional(
                        LOAD_FOR_JOB,
                        lease.job().bucket().value(),
                        lease.job().value(),
                        lease.token().value(),
                        life.toMillis(),
                        id.value()))
                .<Found>map(row -> new Found.Answer(row.get("id") == null ? Optional.empty() : Optional.of(blob(row))))
                .orElseGet(Found.LeaseLost::new);
    }

    /** A blob to delete. */
    record Doomed(BlobId id, BlobStoreKind store) {}

    /**
     * One look of the sweep.
     *
     * @param lookedAt number of rows whose time had come
     */
    record Look(List<Doomed> doomed, long lookedAt) {}

    /**
     * Dooms blobs whose time has come and that no run uses; the others are kept for some time. A doomed blob that was
     * not forgotten is found again after some time.
     */
    Look sweep(int rowsMax, Duration kept, Duration doomed) {
        return database.run(dsl -> {
            List<Record> rows = List.copyOf(dsl.fetch(SWEEP, rowsMax, kept.toMillis(), doomed.toMillis()));
            return new Look(
                    rows.stream()
                            .filter(row -> row.get("id") != null)
                            .map(row -> new Doomed(
                                    new BlobId(row.get("id", UUID.class)), kind(row.get("store", String.class))))
                            .toList(),
                    rows.getFirst().get("looked_at", Long.class));
        });
    }

    /** Deletes the row of a doomed blob, whose bytes are gone. */
    void forget(BlobId id) {
        database.run(dsl -> dsl.execute(FORGET, id.value()));
    }

    private static Blob blob(Record row) {
        return new Blob(
                new BlobId(row.get("id", UUID.class)),
                kind(row.get("store", String.class)),
                row.get("media_type", String.class),
                row.get("bytes", Long.class),
                HexFormat.of().formatHex(row.get("sha256", byte[].class)));
    }

    /** The word for a store in rows, settings and messages. */
    static String code(BlobStoreKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static BlobStoreKind kind(String code) {
        return BlobStoreKind.valueOf(code.toUpperCase(Locale.ROOT));
    }
}
