package dev.millrace.scheduler.quota;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.quota.core.Quotas;
import dev.millrace.scheduler.quota.core.Refusal;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WakeLatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The quotas of all workspaces and tokens, and what they use on this scheduler. A call reads memory only: the quotas are
 * read again when they have changed, and the jobs of the queue are counted aside. Thread-safe.
 */
public final class QuotaBook implements AutoCloseable {
    /** How often quotas are read again, in case a notification got lost. */
    private static final Duration READ_INTERVAL = Duration.ofSeconds(10);
    /**
     * Part of the time in which quotas are being read at most, because everybody who revokes a token of its own causes a
     * read. A read that takes 100 ms is repeated after 1 s.
     */
    private static final int READ_SHARE = 10;
    /** Longest time for which a change waits because of {@link #READ_SHARE}. */
    private static final Duration READ_PAUSE_MAX = Duration.ofSeconds(5);

    /** Shortest time between two counts of the queue. */
    private static final Duration COUNT_INTERVAL = Duration.ofSeconds(1);
    /** Part of the time in which the queue is being counted: a count that takes 100 ms is repeated after 2 s. */
    private static final int COUNT_SHARE = 20;
    /** Time until the next look for workspaces whose jobs are limited; new quotas wake the count. */
    private static final Duration NO_COUNT_INTERVAL = Duration.ofHours(1);

    private static final int WORKSPACES_MAX = 10_000;
    private static final int TOKENS_MAX = 10_000;

    private final QuotaStore store;
    private final EventBus bus;
    private final LongSupplier nanos;
    private final LoadingCache<Workspace, WorkspaceUse> uses = Caffeine.newBuilder()
            .maximumSize(WORKSPACES_MAX)
            .executor(Runnable::run)
            .build(WorkspaceUse::new);
    private final LoadingCache<UUID, TokenUse> tokens = Caffeine.newBuilder()
            .maximumSize(TOKENS_MAX)
            .executor(Runnable::run)
            .build(_ -> new TokenUse());
    private final BlobQuotas blobs;
    private final Loop reading = Loop.of("quotas", this::readAndPause);
    private final Loop counting = Loop.of("queued-jobs", this::count);
    private final Lock seeing = new ReentrantLock();
    private volatile Map<Workspace, Quotas> quotas = Map.of();
    private volatile Map<UUID, Long> tokenQuotas = Map.of();

    private QuotaBook(QuotaStore store, EventBus bus, LongSupplier nanos) {
        this.store = store;
        this.bus = bus;
        this.nanos = nanos;
        this.blobs = new BlobQuotas(store, this::of, this::refused, nanos);
    }

    /** Reads the quotas, and goes on to do so. */
    public static QuotaBook start(Database database, EventBus bus) {
        QuotaBook book = new QuotaBook(new QuotaStore(database), bus, System::nanoTime);
        book.read();
        bus.subscribe(QuotasChanged.class, _ -> book.wake());
        book.reading.start();
        book.counting.start();
        return book;
    }

    /** Reads the quotas soon, because they may have changed. */
    public void wake() {
        reading.wake();
    }

    /**
     * Takes what a call needs, or nothing.
     *
     * @param runs number of runs that it submits
     * @param bytes of its payloads
     * @return why it may not have that; empty if it may
     */
    Optional<Refusal> take(Access access, Workspace workspace, long runs, long bytes) {
        long now = nanos.getAsLong();
        long tokenMax = runs == 0 ? 0 : quotaOf(access);
        if (tokenMax == 0) {
            return use(workspace).take(of(workspace), runs, bytes, now);
        }
        TokenUse token = tokens.get(access.caller().credential().orElseThrow());
        Optional<Refusal> refusal =
                token.refuses(tokenMax, now).or(() -> use(workspace).take(of(workspace), runs, bytes, now));
        if (refusal.isEmpty()) {
            token.take(runs, tokenMax, now);
        }
        return refusal;
    }

    /** Takes what one run needs that a caller starts by other means than a submission. Fails beyond a quota. */
    public void takeRun(Access access, Workspace workspace, long bytes) {
        take(access, workspace, 1, bytes).ifPresent(refusal -> {
            refused(workspace);
            throw MillraceException.quotaExceeded(refusal.message(), refusal.retryAfter());
        });
    }

    /** Opens a stream, unless there are too many. Whoever opens one closes it. */
    Optional<Refusal> openStream(Workspace workspace) {
        return use(workspace).openStream(of(workspace));
    }

    /** Counts a call that was refused. */
    void refused(Workspace workspace) {
        use(workspace).refused();
    }

    void closeStream(Workspace workspace) {
        use(workspace).closeStream();
    }

    /** Takes bytes of log; false if they are to be dropped. */
    public boolean takeLog(Workspace workspace, long bytes) {
        return use(workspace).takeLog(of(workspace), bytes, nanos.getAsLong());
    }

    /** The part that counts bytes of blobs. */
    public BlobQuotas blobs() {
        return blobs;
    }

    Quotas of(Workspace workspace) {
        return quotas.getOrDefault(workspace, Quotas.NONE);
    }

    /** The quotas as stored. Blocking. */
    Quotas load(Workspace workspace) {
        return store.of(workspace);
    }

    /** Replaces the quotas of a workspace; on this scheduler, they hold on return. Blocking. */
    void set(Workspace workspace, Quotas wanted, String by) {
        store.set(workspace, wanted, by);
        read();
        bus.publish(new QuotasChanged());
    }

    /**
     * What a workspace uses on this scheduler. Counts its jobs, unless that was done a moment ago. One caller counts at a
     * time, because each count reads the whole queue. Blocking.
     */
    WorkspaceUse.Seen see(Workspace workspace) {
        seeing.lock();
        try {
            if (!use(workspace).isCountedSince(nanos.getAsLong() - COUNT_INTERVAL.toNanos())) {
                count(List.of(workspace));
            }
        } finally {
            seeing.unlock();
        }
        return use(workspace).see(nanos.getAsLong());
    }

    @Override
    public void close() {
        reading.close();
        counting.close();
    }

    private WorkspaceUse use(Workspace workspace) {
        return uses.get(workspace);
    }

    private long quotaOf(Access access) {
        Map<UUID, Long> known = tokenQuotas;
        return known.isEmpty()
                ? 0
                : access.caller()
                        .credential()
                        .map(token -> known.getOrDefault(token, 0L))
                        .orElse(0L);
    }

    /** One reader at a time, so that nobody puts older quotas in place of newer ones. */
    private synchronized void read() {
        List<Workspace> limitedBefore = limited();
        QuotaStore.All all = store.all();
        quotas = all.ofWorkspaces();
        tokenQuotas = all.ofTokens();
        if (!limitedBefore.containsAll(limited())) {
            counting.wake();
        }
    }

    private Duration readAndPause() throws InterruptedException {
        long begun = nanos.getAsLong();
        read();
        Duration pause = Duration.ofNanos(nanos.getAsLong() - begun).multipliedBy(READ_SHARE);
        WakeLatch.pause(pause.compareTo(READ_PAUSE_MAX) < 0 ? pause : READ_PAUSE_MAX);
        return READ_INTERVAL;
    }

    private List<Workspace> limited() {
        return quotas.entrySet().stream()
                .filter(entry -> entry.getValue().queuedJobsMax() > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Counts the jobs of the workspaces whose jobs are limited. */
    private Duration count() {
        List<Workspace> limited = limited();
        if (limited.isEmpty()) {
            return NO_COUNT_INTERVAL;
        }
        long begun = nanos.getAsLong();
        count(limited);
        Duration pause = Duration.ofNanos(nanos.getAsLong() - begun).multipliedBy(COUNT_SHARE);
        return pause.compareTo(COUNT_INTERVAL) > 0 ? pause : COUNT_INTERVAL;
    }

    private void count(List<Workspace> workspaces) {
        Map<Workspace, Long> before = new HashMap<>();
        workspaces.forEach(workspace -> before.put(workspace, use(workspace).submittedRuns()));
        Map<Workspace, Long> jobs = store.jobs(workspaces);
        long now = nanos.getAsLong();
        before.forEach(
                (workspace, submitted) -> use(workspace).counted(jobs.getOrDefault(workspace, 0L), submitted, now));
    }
}
