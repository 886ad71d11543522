package dev.millrace.worker.internal.packages;

import dev.millrace.worker.internal.runtime.FileTree;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installed packages of this machine: a folder for each interpreter, package and version. A folder appears by one
 * rename, complete or not at all; several workers may share the cache.
 */
final class PackageCache {
    private static final Logger logger = LoggerFactory.getLogger(PackageCache.class);

    /** Names of the folders of interpreters, such as {@code python3.12}, {@code deno2} and {@code bun1}. */
    private static final Pattern INTERPRETER = Pattern.compile("(?:python|deno|bun)[0-9].*");

    /** Number of packages that are installed at the same time. */
    private static final int INSTALLED_AT_ONCE = 4;

    private final Path folder;
    private final Uv uv;
    private final PythonInterpreter python;
    private final CacheUses uses;
    private final CacheLimit limit;

    /** @param bytesMax size above which packages that no process uses are removed */
    PackageCache(Path folder, Uv uv, PythonInterpreter python, long bytesMax) throws IOException {
        this.folder = folder;
        this.uv = uv;
        this.python = python;
        this.uses = new CacheUses(folder.resolve("uses"));
        this.limit = new CacheLimit(folder, bytesMax, uses);
    }

    /** The folders of all interpreters that have packages. */
    static List<Path> interpreters(Path folder) throws IOException {
        return Folders.list(folder).stream()
                .filter(Files::isDirectory)
                .filter(entry ->
                        INTERPRETER.matcher(String.valueOf(entry.getFileName())).matches())
                .toList();
    }

    /** Deletes what killed workers left behind. */
    void deleteAbandoned() throws IOException {
        Folders.deleteAbandoned(folder);
        for (Path interpreter : interpreters(folder)) {
            Folders.deleteAbandoned(interpreter);
        }
    }

    /** Removes packages until the cache is below its limit. uv's own cache holds the same files, and goes with them. */
    void evict() throws IOException, PackageException {
        int evicted = limit.evict();
        if (evicted > 0) {
            logger.atInfo()
                    .addKeyValue("packages", evicted)
                    .log("Packages that were not used for long are removed, because the cache is full.");
            uv.cleanCache(python);
        }
    }

    /** Lets packages stay, installed or not, from now on until the use is ended. */
    List<String> beginUse(List<LockedPackage> wanted) throws IOException {
        Path place = place();
        List<String> names = wanted.stream()
                .map(one -> folder.relativize(place.resolve(one.folderName())).toString())
                .toList();
        uses.begin(names);
        FileTime now = FileTime.from(Instant.now());
        for (LockedPackage one : wanted) {
            Path entry = place.resolve(one.folderName());
            if (Files.isDirectory(entry)) {
                Files.setLastModifiedTime(entry, now);
            }
        }
        return names;
    }

    void endUse(List<String> names) {
        try {
            uses.end(names);
        } catch (IOException e) {
            logger.atWarn().setCause(e).log("Packages that no process uses any more cannot be released.");
        }
    }

    /** The packages of a lock that are not installed yet. */
    List<LockedPackage> missing(List<LockedPackage> wanted) throws IOException {
        Path place = place();
        return wanted.stream()
                .filter(one -> !Files.isDirectory(place.resolve(one.folderName())))
                .toList();
    }

    /** Installs packages, several at a time; returns once all are there. */
    void install(List<LockedPackage> wanted) throws IOException, PackageException {
        Path place = place();
        ExecutorService workers = Executors.newFixedThreadPool(Math.min(INSTALLED_AT_ONCE, wanted.size()));
        try {
            List<Future<Void>> started = new ArrayList<>();
            for (LockedPackage one : wanted) {
                started.add(workers.submit(() -> {
                    install(one, place);
                    return null;
                }));
            }
            for (Future<Void> one : started) {
                one.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PackageException refused) {
                throw refused;
            }
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the worker is stopping", e);
        } finally {
            workers.shutdownNow();
        }
    }

    private void install(LockedPackage one, Path place) throws IOException, PackageException {
        Path fresh = Files.createTempDirectory(place, "new-");
        Path target = place.resolve(one.folderName());
        try {
            uv.install(one, python, fresh);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException another) {
            // Another worker was faster: the rename reports that in many ways.
            if (!Files.isDirectory(target)) {
                throw another;
            }
        } finally {
            if (Files.exists(fresh)) {
                FileTree.delete(fresh);
            }
        }
    }

    /** The installed packages that are for this machine, in the order of the lock. */
    PreparedPackages prepared(List<LockedPackage> installed, Runnable end) throws IOException {
        Path place = place();
        List<Path> folders = new ArrayList<>();
        Map<String, String> versions = new HashMap<>();
        for (LockedPackage one : present(installed)) {
            folders.add(place.resolve(one.folderName()));
            versions.put(one.name(), one.version());
        }
        return new PreparedPackages(folders, versions, end);
    }

    /** The installed packages that are for this machine; others have nothing in their folders. */
    List<LockedPackage> present(List<LockedPackage> installed) throws IOException {
        Path place = place();
        List<LockedPackage> present = new ArrayList<>();
        for (LockedPackage one : installed) {
            try (Stream<Path> files = Files.list(place.resolve(one.folderName()))) {
                // uv leaves a hidden file in each folder.
                if (files.anyMatch(file -> !String.valueOf(file.getFileName()).startsWith("."))) {
                    present.add(one);
                }
            }
        }
        return present;
    }

    private Path place() throws IOException {
        return Files.createDirectories(folder.resolve(python.facts().name()));
    }
}
