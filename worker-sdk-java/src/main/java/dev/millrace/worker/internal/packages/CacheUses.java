package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the living workers that share a cache use of it.
 *
 * <p>Each worker has a file with the names of what its processes use, which it locks while it lives. The lock of a
 * killed worker is gone, and what its file says does not count any more. Uses begin and end, and entries leave the
 * cache, under one lock of all workers. Thread-safe.
 */
final class CacheUses {
    private static final String ENDING = ".uses";

    /** A process loses its locks of a file as soon as it closes the file anywhere, so no other worker here opens one. */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    /** Locks of files are for processes; this is the same for the threads of this one. */
    private static final Object ONE_AT_A_TIME = new Object();

    private final Path folder;
    private final Path file;
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private @Nullable FileChannel own;

    interface Action<T> {
        T run() throws IOException;
    }

    CacheUses(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.file = folder.resolve(UUID.randomUUID() + ENDING).toAbsolutePath();
    }

    /** Begins a use of entries; they stay from then on. */
    void begin(Collection<String> names) throws IOException {
        exclusively(() -> {
            names.forEach(name -> counts.merge(name, 1, Integer::sum));
            try {
                write();
            } catch (IOException e) {
                forget(names);
                throw e;
            }
            return names;
        });
    }

    void end(Collection<String> names) throws IOException {
        exclusively(() -> {
            forget(names);
            write();
            return names;
        });
    }

    private void forget(Collection<String> names) {
        names.forEach(name -> counts.computeIfPresent(name, (unused, count) -> count == 1 ? null : count - 1));
    }

    /** Does something while no use begins or ends, in any worker. */
    <T> T exclusively(Action<T> action) throws IOException {
        synchronized (ONE_AT_A_TIME) {
            // Closing the channel releases the lock.
            try (FileChannel all =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                all.lock();
                return action.run();
            }
        }
    }

    /** Names of what living workers use; for callers that have the lock. */
    Set<String> all() throws IOException {
        var used = new HashSet<String>();
        for (Path uses : Folders.list(folder)) {
            if (uses.toString().endsWith(ENDING) && isAlive(uses)) {
                used.addAll(Files.readAllLines(uses));
            }
        }
        return used;
    }

    /** Whether the worker of a file lives; deletes the file if not. */
    private static boolean isAlive(Path uses) throws IOException {
        if (OF_THIS_PROCESS.contains(uses.toAbsolutePath())) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(uses, StandardOpenOption.WRITE);
                FileLock free = channel.tryLock()) {
            if (free == null) {
                return true;
            }
        }
        Files.deleteIfExists(uses);
        return false;
    }

    private void write() throws IOException {
        FileChannel channel = own;
        if (channel == null) {
            OF_THIS_PROCESS.add(file);
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel.lock();
            own = channel;
        }
        // New names come last, so that a full disk takes nothing away that is in the file.
        ByteBuffer names = ByteBuffer.wrap(String.join("\n", counts.keySet()).getBytes(StandardCharsets.UTF_8));
        while (names.hasRemaining()) {
            channel.write(names, names.position());
        }
        channel.truncate(names.limit());
    }
}
