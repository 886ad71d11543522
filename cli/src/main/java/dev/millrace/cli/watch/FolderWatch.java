package dev.millrace.cli.watch;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.definition.SourceFolder;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits until a file in folders, or at any depth below them, is created, changed or deleted. */
public final class FolderWatch implements AutoCloseable {
    /** Number of folders that are watched at most. */
    private static final int FOLDERS_MAX = 10_000;
    /** Editors write a file in several steps: a change is complete after this long without another one. */
    private static final Duration CALM = Duration.ofMillis(20);

    private final WatchService service;
    private final Map<WatchKey, Path> folders = new HashMap<>();

    private FolderWatch(WatchService service) {
        this.service = service;
    }

    /** Begins to watch: changes from now on are reported, also if nobody waits yet. */
    public static FolderWatch open(List<Path> folders) {
        try {
            var watch = new FolderWatch(FileSystems.getDefault().newWatchService());
            for (Path folder : folders) {
                watch.addBelow(folder);
            }
            return watch;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Waits for the next change and until all is calm. */
    public void awaitChange() throws InterruptedException {
        @Nullable WatchKey key = service.take();
        while (key != null) {
            take(key);
            key = service.poll(CALM.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void take(WatchKey key) {
        Path folder = folders.getOrDefault(key, Path.of(""));
        for (WatchEvent<?> event : key.pollEvents()) {
            // An overflow has no context, and counts as a change like any other.
            if (event.kind().equals(ENTRY_CREATE) && event.context() instanceof Path name) {
                addIfFolder(folder.resolve(name));
            }
        }
        if (!key.reset()) {
            folders.remove(key);
        }
    }

    private void addIfFolder(Path created) {
        try {
            addBelow(created);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private void addBelow(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (!folder.equals(root) && SourceFolder.isSkipped(folder)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                if (folders.size() == FOLDERS_MAX) {
                    throw new CommandFailure(
                            ExitCode.INVALID,
                            "There are more than " + FOLDERS_MAX + " folders to watch. Name a smaller folder.");
                }
                folders.put(folder.register(service, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE), folder);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                // A file of an editor that came and went.
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static CommandFailure failure(IOException cause) {
        return new CommandFailure(
                ExitCode.START_FAILED,
                "The folder cannot be watched: " + cause.getMessage()
                        + ". If the system's limit is reached (fs.inotify.max_user_watches on Linux), raise it or name a"
                        + " smaller folder.",
                cause);
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }
}
