package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets of packages for Deno and Bun on this machine: a folder for each lock, which appears by one rename, complete or not
 * at all. Several workers may share them. Thread-safe.
 */
final class PackageSets {
    private static final Logger logger = LoggerFactory.getLogger(PackageSets.class);

    private final Path folder;
    private final Path workspaces;
    private final CacheUses uses;
    private final CacheLimit limit;

    /**
     * @param folder of all packages of the machine
     * @param workspaces parent of the folders that processes of a workspace have for Deno
     * @param bytesMax size of all packages above which those that no process uses are removed
     */
    PackageSets(Path folder, Path workspaces, long bytesMax) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.workspaces = workspaces;
        this.uses = new CacheUses(folder.resolve("uses"));
        this.limit = new CacheLimit(folder, bytesMax, uses);
    }

    private Path place(String interpreter) throws IOException {
        return Files.createDirectories(folder.resolve(interpreter));
    }

    /** An empty folder for a set that is not complete yet. */
    Path begin(String interpreter) throws IOException {
        return Files.createTempDirectory(place(interpreter), Folders.NEW);
    }

    Path of(String interpreter, SetLock lock) throws IOException {
        return place(interpreter).resolve(lock.folderName());
    }

    /** Lets a set stay, complete or not, from now on until the use is ended. */
    void beginUse(Path set) throws IOException {
        uses.begin(List.of(name(set)));
        if (Files.isDirectory(set)) {
            Files.setLastModifiedTime(set, FileTime.from(Instant.now()));
        }
    }

    void endUse(Path set) {
        try {
            uses.end(List.of(name(set)));
        } catch (IOException e) {
            logger.atWarn().setCause(e).log("Packages that no process uses any more cannot be released.");
        }
    }

    /** Lets a complete set appear, unless another worker was faster. */
    static void publish(Path fresh, Path set) throws IOException {
        try {
            Files.move(fresh, set, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException another) {
            // The rename reports in many ways that the folder is there.
            if (!Files.isDirectory(set)) {
                throw another;
            }
        }
    }

    /** Removes what killed workers left behind, and packages until the cache is below its limit. */
    void tidyUp() throws IOException {
        for (Path interpreter : PackageCache.interpreters(folder)) {
            Folders.deleteAbandoned(interpreter);
        }
        int evicted = limit.evict();
        if (evicted > 0) {
            logger.atInfo()
                    .addKeyValue("packages", evicted)
                    .log("Packages that were not used for long are removed, because the cache is full.");
        }
        removeLinks();
    }

    /** Removes what workspaces have for sets that are gone, with what Deno has made of their scripts. */
    private void removeLinks() throws IOException {
        if (!Files.isDirectory(workspaces)) {
            return;
        }
        for (Path workspace : Folders.list(workspaces)) {
            Path links = workspace.resolve(DenoSet.LINKS);
            // Scripts in a sandbox may write here, and must not lead elsewhere.
            if (Files.isDirectory(links, LinkOption.NOFOLLOW_LINKS)) {
                Folders.deleteAbandoned(links);
                for (Path gone : uses.exclusively(() -> takeOut(links, uses.all()))) {
                    Folders.deleteIfThere(gone);
                }
            }
        }
    }

    /** A use begins before its folder is made, so that no folder of a set in use goes. */
    private List<Path> takeOut(Path links, Set<String> used) throws IOException {
        List<Path> out = new ArrayList<>();
        for (Path entry : Folders.list(links)) {
            Path link = entry.resolve(DenoInstaller.NPM);
            if (Folders.isComplete(entry) && Files.isSymbolicLink(link)) {
                Path set = Files.readSymbolicLink(link).resolveSibling("").normalize();
                if (set.startsWith(folder) && !Files.isDirectory(set) && !used.contains(name(set))) {
                    Path place = entry.resolveSibling(Folders.OLD + UUID.randomUUID());
                    Files.move(entry, place, StandardCopyOption.ATOMIC_MOVE);
                    out.add(place);
                }
            }
        }
        return out;
    }

    private String name(Path set) {
        return folder.relativize(set).toString();
    }
}
