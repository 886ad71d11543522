package dev.millrace.scheduler.quota;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.quota.core.Quotas;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * How many bytes of blobs each workspace may have, and has. The sum is a count of the database plus what this scheduler
 * has stored since. Thread-safe.
 */
public final class BlobQuotas {
    private static final int WORKSPACES_MAX = 10_000;

    private final Function<Workspace, Quotas> quotas;
    private final Consumer<Workspace> refused;
    private final LoadingCache<Workspace, BlobUse> uses;

    BlobQuotas(QuotaStore store, Function<Workspace, Quotas> quotas, Consumer<Workspace> refused, LongSupplier nanos) {
        this.quotas = quotas;
        this.refused = refused;
        this.uses = Caffeine.newBuilder()
                .maximumSize(WORKSPACES_MAX)
                .executor(Runnable::run)
                .build(workspace -> new BlobUse(() -> store.blobBytes(workspace), nanos));
    }

    /** Begins to count an upload. The caller closes it. */
    public BlobShare open(Workspace workspace) {
        return new BlobShare(
                workspace,
                uses.get(workspace),
                () -> quotas.apply(workspace).blobBytesMax(),
                () -> refused.accept(workspace));
    }

    /** Counts a blob that was deleted here. */
    public void deleted(Workspace workspace, long bytes) {
        uses.get(workspace).stored(-bytes);
    }

    /** Bytes of all complete blobs, as counted within about a second. Blocking. */
    long see(Workspace workspace) {
        return uses.get(workspace).see();
    }
}
