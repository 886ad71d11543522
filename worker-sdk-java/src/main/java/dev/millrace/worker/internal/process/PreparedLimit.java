package dev.millrace.worker.internal.process;

import static java.util.Comparator.comparing;

import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.runtime.FileTree;
import dev.millrace.worker.internal.runtime.FolderName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what languages have prepared, and their caches, below a size. A cache is emptied as a whole while no worker
 * prepares anything with it, which a lock of a file tells. Of the versions, those go that were not used for longest; the
 * time of use is the time of change of the folder. Blocking and thread-safe.
 */
final class PreparedLimit {
    /** A version that was used since then may have a process that is about to start. */
    private static final Duration STAYS = Duration.ofHours(1);

    /** End of the name of the folder with the caches of the languages. */
    private static final String CACHES = "-caches";

    /** Beginning of the names of files that preparations lock. */
    private static final String USE = "use-";

    private static final String LOCK = "lock";
    private static final String NEW = "new-";
    private static final String OLD = "old-";

    private static final Logger logger = LoggerFactory.getLogger(PreparedLimit.class);

    /** Locks of files are for processes; these are the same for the threads of this one. */
    private static final ReadWriteLock OF_THIS_PROCESS = new ReentrantReadWriteLock();

    private static final Object ONE_AT_A_TIME = new Object();

    private final Path root;
    private final Path caches;
    private final long bytesMax;

    PreparedLimit(Path root, long bytesMax) {
        this.root = root;
        this.caches = root.resolveSibling(root.getFileName() + CACHES);
        this.bytesMax = bytesMax;
    }

    interface Preparing {
        Path with(Path cache) throws IOException, JobException;
    }

    /** Prepares something while nobody empties the cache of the language. */
    Path whileCacheStays(String language, Preparing preparing) throws IOException, JobException {
        PrivateFiles.folder(caches);
        // Each preparation locks a file of its own, since threads of one process cannot share a lock.
        Path own = caches.resolve(USE + UUID.randomUUID());
        OF_THIS_PROCESS.readLock().lock();
        try (FileChannel channel = FileChannel.open(own, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            exclusively(channel::lock);
            return preparing.with(Files.createDirectories(caches.resolve(FolderName.of(language))));
        } finally {
            OF_THIS_PROCESS.readLock().unlock();
            Files.deleteIfExists(own);
        }
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    /** Does something while no preparation begins, in any worker. */
    private <T> T exclusively(Action<T> action) throws IOException {
        synchronized (ONE_AT_A_TIME) {
            // Closing the channel releases the lock.
            try (FileChannel all =
                    FileChannel.open(caches.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                all.lock();
                return action.run();
            }
        }
    }

    /** Notes that a version is used. */
    void touch(Path place) throws IOException {
        Files.setLastModifiedTime(place, FileTime.from(Instant.now()));
    }

    /** Removes what killed workers left behind, and then the oldest until the rest is below the limit. */
    synchronized void evict() {
        try {
            List<Path> versions = versions();
            long excess = FileTree.bytes(root) + (Files.exists(caches) ? FileTree.bytes(caches) : 0) - bytesMax;
            if (excess > 0) {
                excess -= emptyCaches();
            }
            Instant latest = Instant.now().minus(STAYS);
            for (Path version : versions) {
                if (excess > 0 && modified(version).isBefore(latest)) {
                    excess -= FileTree.bytes(version);
                    remove(version);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            logger.atWarn().setCause(e).log("What languages have prepared may stay above its limit.");
        }
    }

    /** All versions, the one that was not used for longest first. */
    private List<Path> versions() throws IOException {
        List<Path> versions = new ArrayList<>();
        Instant abandoned = Instant.now().minus(STAYS);
        for (Path workspace : list(root)) {
            for (Path script : list(workspace)) {
                for (Path entry : list(script)) {
                    String name = String.valueOf(entry.getFileName());
                    if (!name.startsWith(NEW) && !name.startsWith(OLD)) {
                        versions.add(entry);
                    } else if (modified(entry).isBefore(abandoned)) {
                        FileTree.delete(entry);
                    }
                }
            }
        }
        return versions.stream().sorted(comparing(PreparedLimit::modified)).toList();
    }

    /** Empties the caches unless somebody uses them; returns how much that was. */
    private long emptyCaches() throws IOException {
        if (!Files.isDirectory(caches) || !OF_THIS_PROCESS.writeLock().tryLock()) {
            return 0;
        }
        try {
            long bytes = 0;
            List<Path> out = exclusively(this::takeCachesOut);
            for (Path cache : out) {
                bytes += FileTree.bytes(cache);
                FileTree.delete(cache);
            }
            return bytes;
        } finally {
            OF_THIS_PROCESS.writeLock().unlock();
        }
    }

    /** By renames, so that a preparation that begins later finds none. */
    private List<Path> takeCachesOut() throws IOException {
        List<Path> out = new ArrayList<>();
        for (Path entry : list(caches)) {
            if (String.valueOf(entry.getFileName()).startsWith(USE) && isInUse(entry)) {
                return List.of();
            }
        }
        for (Path entry : list(caches)) {
            if (Files.isDirectory(entry)) {
                Path place = entry.resolveSibling(OLD + UUID.randomUUID());
                Files.move(entry, place, StandardCopyOption.ATOMIC_MOVE);
                out.add(place);
            }
        }
        return out;
    }

    /** Whether another worker prepares something; deletes what a killed one left. */
    private static boolean isInUse(Path use) throws IOException {
        try (FileChannel channel = FileChannel.open(use, StandardOpenOption.WRITE);
                FileLock free = channel.tryLock()) {
            if (free == null) {
                return true;
            }
        }
        Files.deleteIfExists(use);
        return false;
    }

    /** By one rename, so that nobody sees a part of it. */
    private static void remove(Path entry) throws IOException {
        Path out = entry.resolveSibling(OLD + UUID.randomUUID());
        Files.move(entry, out, StandardCopyOption.ATOMIC_MOVE);
        FileTree.delete(out);
    }

    private static List<Path> list(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    private static Instant modified(Path entry) {
        try {
            return Files.getLastModifiedTime(entry).toInstant();
        } catch (IOException gone) {
            return Instant.EPOCH;
        }
    }
}
