package dev.millrace.worker.internal.packages;

import dev.millrace.worker.internal.runtime.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Folders that appear and disappear by one rename, complete or not at all. */
final class Folders {
    /** Beginning of the name of what is not complete yet. */
    static final String NEW = "new-";

    /** Beginning of the name of what is about to be deleted. */
    static final String OLD = "old-";

    /** What is not complete after this time belongs to a worker that was killed. */
    private static final Duration ABANDONED_AFTER = Duration.ofHours(1);

    private Folders() {}

    /** Whether this is the name of a complete folder. */
    static boolean isComplete(Path folder) {
        String name = String.valueOf(folder.getFileName());
        return !name.startsWith(NEW) && !name.startsWith(OLD);
    }

    /** Deletes what killed workers left unfinished. */
    static void deleteAbandoned(Path parent) throws IOException {
        Instant limit = Instant.now().minus(ABANDONED_AFTER);
        for (Path entry : list(parent)) {
            String name = String.valueOf(entry.getFileName());
            if (name.startsWith(OLD) || (name.startsWith(NEW) && modified(entry).isBefore(limit))) {
                deleteIfThere(entry);
            }
        }
    }

    /** Deletes a folder with its content, unless another worker does. */
    static void deleteIfThere(Path folder) throws IOException {
        try {
            FileTree.delete(folder);
        } catch (NoSuchFileException | UncheckedIOException deletedByAnother) {
            if (Files.exists(folder)) {
                throw new IOException("The folder " + folder + " cannot be deleted", deletedByAnother);
            }
        }
    }

    static List<Path> list(Path parent) throws IOException {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.toList();
        }
    }

    /** Time of the last change; the epoch if the file is gone. */
    static Instant modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException gone) {
            return Instant.EPOCH;
        }
    }
}
