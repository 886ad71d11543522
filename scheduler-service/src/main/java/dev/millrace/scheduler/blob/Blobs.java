package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;

import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.config.BlobConfig;
import dev.millrace.scheduler.config.BlobStoreKind;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.jobapi.LeaseCredential;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.quota.BlobQuotas;
import dev.millrace.scheduler.quota.BlobShare;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.runtime.Loop;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Uploads and reads blobs, and sweeps those that nobody needs. Thread-safe. */
public final class Blobs implements AutoCloseable {
    /** Greater than each id, in the order of Postgres. */
    private static final UUID AFTER_ALL = new UUID(-1, -1);
    /** Time for which a blob that is being read is kept. */
    private static final Duration READ_LIFE = Duration.ofHours(1);
    /** Estimate of what an upload takes besides the buffer of its sink: a message and its copies. */
    private static final int UPLOAD_BYTES = 1 << 20;

    /** Estimate of what a reader takes: a part that is sent, and one that is read. */
    public static final int READER_BYTES = 4 * BlobStreamProtos.PART_BYTES_MAX;

    static final Duration RETRY_AFTER = Duration.ofSeconds(2);
    /** Time between two looks at what callers have sent. */
    static final Duration WATCH_INTERVAL = Duration.ofSeconds(30);

    private final BlobRowStore rows;
    private final Map<BlobStoreKind, BlobStorage> storages;
    private final BlobConfig config;
    private final IdSource ids;
    private final MemoryPart memory;
    private final BlobQuotas quotas;
    private final BlobSweep sweep;
    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    private final Loop watch = Loop.of("blob-uploads", this::look);

    /** An upload at which somebody looks now and then. */
    interface Watched {
        void look();
    }

    private Blobs(Database database, BlobConfig config, IdSource ids, MemoryPart memory, BlobQuotas quotas) {
        this.rows = new BlobRowStore(database);
        this.storages = storages(database, config);
        this.config = config;
        this.ids = ids;
        this.memory = memory;
        this.quotas = quotas;
        this.sweep = new BlobSweep(rows, storages);
    }

    /**
     * Opens the stores and starts to sweep.
     *
     * @param memory for blobs that are on their way
     * @param quotas bytes that workspaces may have
     */
    public static Blobs start(
            Database database, BlobConfig config, IdSource ids, MemoryPart memory, BlobQuotas quotas) {
        Blobs blobs = new Blobs(database, config, ids, memory, quotas);
        blobs.sweep.start();
        blobs.watch.start();
        return blobs;
    }

    private static Map<BlobStoreKind, BlobStorage> storages(Database database, BlobConfig config) {
        Map<BlobStoreKind, BlobStorage> storages = new EnumMap<>(BlobStoreKind.class);
        storages.put(BlobStoreKind.POSTGRES, new BlobChunkStore(database));
        config.folder().ifPresent(folder -> storages.put(BlobStoreKind.FOLDER, new FolderStorage(folder)));
        config.bucket().ifPresent(bucket -> storages.put(BlobStoreKind.S3, BucketStorage.open(bucket)));
        return storages;
    }

    /** Begins an upload. The caller closes it. */
    BlobUpload begin(BlobOwner owner, Announcement announced) {
        requireSize(announced);
        BlobStorage storage = storage(config.store());
        int bytes = UPLOAD_BYTES + storage.sinkBytes();
        if (!memory.tryReserve(bytes)) {
            throw MillraceException.overloaded(
                    "This scheduler already receives as many blobs as its heap allows: repeat the upload later.",
                    RETRY_AFTER);
        }
        boolean begun = false;
        try {
            BlobUpload upload = begin(owner, announced, storage, () -> memory.release(bytes));
            begun = true;
            return upload;
        } finally {
            if (!begun) {
                memory.release(bytes);
            }
        }
    }

    private void requireSize(Announcement announced) {
        if (announced.bytes().orElse(0) > config.bytesMax()) {
            throw BlobUpload.tooLarge(announced.bytes().getAsLong() + " bytes", config.bytesMax());
        }
    }

    private BlobUpload begin(BlobOwner owner, Announcement announced, BlobStorage storage, Runnable closed) {
        BlobId id = new BlobId(ids.nextUuid());
        Workspace workspace = rows.begin(id, owner, storage.kind(), announced.mediaType(), BlobUpload.LIFE)
                .orElseThrow(LeaseCredential::lost);
        BlobShare share = quotas.open(workspace);
        boolean begun = false;
        try {
            share.takeUpTo(announced.bytes().orElse(0));
            BlobSink sink = storage.create(id);
            begun = true;
            return new BlobUpload(
                    rows, storage, sink, share, id, owner, announced, config.bytesMax(), config.unusedTime(), closed);
        } catch (IOException failure) {
            throw unavailable(storage.kind(), failure);
        } finally {
            if (!begun) {
                share.close();
                rows.abandon(id);
            }
        }
    }

    /** The blob of a workspace, for its fields. Fails with {@link ErrorCode#BLOB_NOT_FOUND} if it has none with the id. */
    Blob get(Workspace workspace, BlobId id) {
        return rows.get(workspace, id).orElseThrow(() -> notFound(id));
    }

    /** A page of the blobs of a workspace, the newest first. */
    PageRequest.Page<ListedBlob> list(Workspace workspace, PageRequest page) {
        UUID before = before(page);
        return page.of(
                sizeMax -> rows.list(workspace, before, sizeMax),
                listed -> listed.blob().id().toString());
    }

    private static UUID before(PageRequest page) {
        try {
            return page.after().isEmpty() ? AFTER_ALL : UUID.fromString(page.after());
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }

    /** Deletes a blob, whoever uses it. Fails with {@link ErrorCode#BLOB_NOT_FOUND} if there is none with the id. */
    Blob delete(Workspace workspace, BlobId id) {
        Blob deleted = rows.delete(workspace, id).orElseThrow(() -> notFound(id));
        quotas.deleted(workspace, deleted.bytes());
        sweep.wake();
        return deleted;
    }

    /** The blob of a workspace. Fails with {@link ErrorCode#BLOB_NOT_FOUND} if it has none with the id. */
    Blob load(Workspace workspace, BlobId id) {
        return rows.find(workspace, id, READ_LIFE).orElseThrow(() -> notFound(id));
    }

    /** The blob, if the run uses it. Fails with {@link ErrorCode#BLOB_NOT_FOUND} otherwise. */
    Blob load(RunRef run, BlobId id) {
        return rows.find(run, id, READ_LIFE).orElseThrow(() -> notFound(id));
    }

    /** The blob, which the run of the job uses from now on. */
    Blob load(LeaseCredential lease, BlobId id) {
        return switch (rows.find(lease, id, READ_LIFE)) {
            case BlobRowStore.Found.Answer(var blob) -> blob.orElseThrow(() -> notFound(id));
            case BlobRowStore.Found.LeaseLost _ -> throw LeaseCredential.lost();
        };
    }

    /** The bytes of a blob from a place on. The caller closes the stream. */
    InputStream open(Blob blob, long offset) {
        try {
            return storage(blob.store()).open(blob.id(), offset);
        } catch (IOException failure) {
            throw unavailable(blob.store(), failure);
        }
    }

    private BlobStorage storage(BlobStoreKind kind) {
        BlobStorage storage = storages.get(kind);
        if (storage == null) {
            throw new MillraceException(
                    ErrorCode.BLOB_STORE_UNAVAILABLE,
                    "The blob is in the store \"" + BlobRowStore.code(kind)
                            + "\", which this scheduler has no settings for: set those of millrace.blob.");
        }
        return storage;
    }

    private static MillraceException notFound(BlobId id) {
        return new MillraceException(ErrorCode.BLOB_NOT_FOUND, "There is no blob " + id + ".");
    }

    /** The failure of a call that a store has not served. */
    static MillraceException unavailable(BlobStoreKind kind, IOException failure) {
        return new MillraceException(
                ErrorCode.BLOB_STORE_UNAVAILABLE,
                "The store of blobs (" + BlobRowStore.code(kind) + ") failed: " + requireNonNull(failure, "failure")
                        + ". Repeat the call later; if this happens often, look at the store.",
                failure);
    }

    void watch(Watched upload) {
        watched.add(upload);
    }

    void unwatch(Watched upload) {
        watched.remove(upload);
    }

    private Duration look() {
        watched.forEach(Watched::look);
        return WATCH_INTERVAL;
    }

    @Override
    public void close() {
        watch.close();
        sweep.close();
        storages.values().forEach(BlobStorage::close);
    }
}
