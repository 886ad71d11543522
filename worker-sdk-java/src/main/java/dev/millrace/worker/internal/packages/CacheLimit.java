package dev.millrace.worker.internal.packages;

import dev.millrace.worker.internal.runtime.FileTree;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps a cache of packages below a size. The packages that were not used for longest leave it, but none that a process
 * of a living worker uses. A package leaves by one rename, and is deleted afterwards. Blocking and thread-safe.
 */
final class CacheLimit {
    private final Path folder;
    private final long bytesMax;
    private final CacheUses uses;
    /** Sizes of entries, which do not change but for files that Python compiles. */
    private final Map<Path, Long> sizes = new HashMap<>();

    CacheLimit(Path folder, long bytesMax, CacheUses uses) {
        this.folder = folder;
        this.bytesMax = bytesMax;
        this.uses = uses;
    }

    /** Name by which an entry is used. */
    private String name(Path entry) {
        return folder.relativize(entry).toString();
    }

    /** Takes entries out until the rest is below the limit; returns how many. */
    synchronized int evict() throws IOException {
        List<Path> entries = entries();
        sizes.keySet().retainAll(Set.copyOf(entries));
        for (Path entry : entries) {
            if (!sizes.containsKey(entry)) {
                sizes.put(entry, FileTree.bytes(entry));
            }
        }
        long excess = sizes.values().stream().mapToLong(Long::longValue).sum() - bytesMax;
        if (excess <= 0) {
            return 0;
        }
        List<Path> out = uses.exclusively(() -> takeOut(entries, excess));
        for (Path entry : out) {
            Folders.deleteIfThere(entry);
        }
        return out.size();
    }

    private List<Path> takeOut(List<Path> entries, long excess) throws IOException {
        record Candidate(Path entry, Instant lastUse) {}
        Set<String> used = uses.all();
        List<Path> candidates = entries.stream()
                .filter(entry -> !used.contains(name(entry)))
                .map(entry -> new Candidate(entry, Folders.modified(entry)))
                .sorted(Comparator.comparing(Candidate::lastUse))
                .map(Candidate::entry)
                .toList();
        List<Path> out = new ArrayList<>();
        long left = excess;
        for (Path entry : candidates) {
            if (left <= 0) {
                break;
            }
            Path place = entry.resolveSibling(Folders.OLD + UUID.randomUUID());
            try {
                Files.move(entry, place, StandardCopyOption.ATOMIC_MOVE);
                out.add(place);
            } catch (FileSystemException another) {
                if (Files.exists(entry)) {
                    throw another;
                }
            }
            left -= sizes.getOrDefault(entry, 0L);
        }
        return out;
    }

    /** The complete packages of all interpreters. */
    private List<Path> entries() throws IOException {
        List<Path> entries = new ArrayList<>();
        for (Path interpreter : PackageCache.interpreters(folder)) {
            Folders.list(interpreter).stream().filter(Folders::isComplete).forEach(entries::add);
        }
        return entries;
    }
}
