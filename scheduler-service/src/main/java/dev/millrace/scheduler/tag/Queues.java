package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.tag.core.TagPause;
import dev.millrace.scheduler.tag.core.TagWorkers;
import dev.millrace.scheduler.tag.core.WaitReasons;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import dev.millrace.scheduler.workspace.core.WorkspaceTag;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The queues of all tags. Whoever asks within a moment gets the same figures, so the number of people who look costs the
 * database nothing. Blocking and thread-safe.
 */
final class Queues {
    /** Maximum number of queues that are listed. */
    static final int QUEUES_MAX = 1_000;
    /** Age up to which figures are given again. */
    private static final Duration KEPT = Duration.ofSeconds(1);
    /** Part of the time in which figures are being read: a read that takes 100 ms is repeated after 5 s. */
    private static final int READ_SHARE = 50;

    private final QueueStore store;
    private final PausedTags pauses;
    private final TagRates rates;
    private final WorkspaceDirectory workspaces;
    private final Lock reading = new ReentrantLock();
    private volatile Optional<Seen> seen = Optional.empty();

    Queues(Database database, PausedTags pauses, TagRates rates, WorkspaceDirectory workspaces) {
        this.store = new QueueStore(database);
        this.pauses = pauses;
        this.rates = rates;
        this.workspaces = workspaces;
    }

    /**
     * A queue.
     *
     * @param tag as callers give it
     * @param owner workspace that has the queue for itself; absent if workspaces share it
     * @param waiting number of jobs, at most {@link QueueStore#COUNTED_MAX}
     * @param hasMore whether more jobs wait
     * @param reasons why jobs wait
     */
    record Line(
            String tag,
            Optional<Workspace> owner,
            int waiting,
            boolean hasMore,
            Optional<Instant> oldest,
            int running,
            TagWorkers workers,
            TagRates.Rates rates,
            Optional<TagPause> pause,
            List<String> reasons) {}

    /** @param isComplete whether no queue is left out */
    record Found(List<Line> queues, boolean isComplete) {}

    private record Seen(QueueStore.Read read, long atNanos, long keptNanos) {}

    /** The queues that the caller may see, by tag. */
    Found list(Access access) {
        QueueStore.Read read = read();
        Map<String, TagPause> paused = pauses.inForce();
        Map<String, QueueStore.Waiting> waiting = new TreeMap<>();
        read.waiting().forEach(each -> waiting.put(each.tag(), each));
        Map<String, QueueStore.Running> running = new HashMap<>();
        read.running().forEach((tag, jobs) -> running.merge(queueOf(tag), jobs, QueueStore.Running::and));
        running.keySet().forEach(tag -> waiting.putIfAbsent(tag, nothing(tag)));
        // Somebody who has just paused a tag wants to see it.
        paused.keySet().forEach(tag -> waiting.putIfAbsent(tag, nothing(tag)));
        Predicate<QueueStore.Waiting> visible = visible(access, read, running, paused.keySet());
        List<Line> lines = waiting.values().stream()
                .filter(visible)
                .map(each -> line(
                        each,
                        running.getOrDefault(each.tag(), QueueStore.Running.NONE)
                                .jobs(),
                        read.serving(),
                        paused))
                .limit(QUEUES_MAX + 1L)
                .toList();
        boolean fits = lines.size() <= QUEUES_MAX;
        return new Found(fits ? lines : lines.subList(0, QUEUES_MAX), fits && read.isComplete());
    }

    private Line line(
            QueueStore.Waiting queue, int running, List<QueueStore.Serving> serving, Map<String, TagPause> paused) {
        String tag = JobOptions.callersTag(queue.tag());
        Optional<Workspace> owner = WorkspaceTag.ownerOf(queue.tag());
        TagWorkers workers = serving.stream()
                .filter(each -> each.tag().equals(tag) && serves(each, owner))
                .map(QueueStore.Serving::workers)
                .reduce(TagWorkers.NONE, TagWorkers::and);
        Optional<TagPause> pause = Optional.ofNullable(paused.get(tag));
        return new Line(
                tag,
                owner,
                Math.min(queue.waiting(), QueueStore.COUNTED_MAX),
                queue.waiting() > QueueStore.COUNTED_MAX,
                queue.oldest(),
                running,
                workers,
                rates.of(tag),
                pause,
                WaitReasons.of(tag, queue.waiting(), running, workers, pause));
    }

    private boolean serves(QueueStore.Serving workers, Optional<Workspace> owner) {
        Optional<Set<Workspace>> only = Optional.of(workers.workspaces()).filter(named -> !named.isEmpty());
        return owner.map(workspace -> workspaces.mayServe(workspace, new WorkerScope(only, Optional.empty())))
                .orElse(only.isEmpty());
    }

    private static QueueStore.Waiting nothing(String tag) {
        return new QueueStore.Waiting(tag, 0, Optional.empty(), Set.of());
    }

    /**
     * Which queues a caller may see. A tag may be any text that a flow computes. So that of a shared queue is shown to those
     * whose workspaces have jobs in it, and to all others only if an operator has named it: for workers, or to pause it.
     */
    private Predicate<QueueStore.Waiting> visible(
            Access access, QueueStore.Read read, Map<String, QueueStore.Running> running, Set<String> paused) {
        if (access.rights().allowsInstance(Role.VIEWER)) {
            return _ -> true;
        }
        Set<Workspace> own = workspaces.visibleTo(access);
        Set<String> named = workspaces.showsShared(access)
                ? Stream.concat(
                                paused.stream(),
                                read.serving().stream()
                                        .filter(each -> each.workspaces().isEmpty())
                                        .map(QueueStore.Serving::tag))
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
        return queue -> WorkspaceTag.ownerOf(queue.tag())
                .map(own::contains)
                .orElseGet(() -> named.contains(JobOptions.callersTag(queue.tag()))
                        || hasAny(queue.workspaces(), own)
                        || hasAny(
                                running.getOrDefault(queue.tag(), QueueStore.Running.NONE)
                                        .workspaces(),
                                own));
    }

    private static boolean hasAny(Set<Workspace> some, Set<Workspace> own) {
        return some.stream().anyMatch(own::contains);
    }

    /** The tag of the queue of a job that a worker has, without the session for which it was reserved. */
    private static String queueOf(String tag) {
        return JobGroup.isRoute(tag) ? tag.substring(tag.indexOf('/') + 1) : tag;
    }

    private QueueStore.Read read() {
        Optional<Seen> known = seen;
        if (known.filter(Queues::isFresh).isPresent()) {
            return known.get().read();
        }
        reading.lock();
        try {
            Optional<Seen> meanwhile = seen;
            if (meanwhile.filter(Queues::isFresh).isPresent()) {
                return meanwhile.get().read();
            }
            long began = System.nanoTime();
            QueueStore.Read read = store.read(pauses.inForce().keySet(), QUEUES_MAX);
            long ended = System.nanoTime();
            seen = Optional.of(new Seen(read, ended, Math.max(KEPT.toNanos(), (ended - began) * READ_SHARE)));
            return read;
        } finally {
            reading.unlock();
        }
    }

    private static boolean isFresh(Seen known) {
        return System.nanoTime() - known.atNanos() < known.keptNanos();
    }
}
