package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Installed packages of this machine: a folder for each interpreter, package and version. A folder appears by one
 * rename, complete or not at all; several workers may share the cache.
 */
final class PackageCache {
    /** Number of packages that are installed at the same time. */
    private static final int INSTALLED_AT_ONCE = 4;

    private final Path folder;
    private final Uv uv;
    private final PythonInterpreter python;

    PackageCache(Path folder, Uv uv, PythonInterpreter python) {
        this.folder = folder;
        this.uv = uv;
        this.python = python;
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
                Folders.delete(fresh);
            }
        }
    }

    /** Folders to import from, in the order of the lock. */
    List<Path> path(List<LockedPackage> installed) throws IOException {
        Path place = place();
        return present(installed).stream()
                .map(one -> place.resolve(one.folderName()))
                .toList();
    }

    /** The installed packages that are for this machine; others have nothing in their folders. */
    List<LockedPackage> present(List<LockedPackage> installed) throws IOException {
        Path place = place();
        List<LockedPackage> present = new ArrayList<>();
        for (LockedPackage one : installed) {
            try (Stream<Path> files = Files.list(place.resolve(one.folderName()))) {
                if (files.findAny().isPresent()) {
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
