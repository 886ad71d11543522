package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders that appear by one rename, complete or not at all. */
final class Folders {
    /** What is not complete after this time belongs to a worker that was killed. */
    private static final Duration ABANDONED_AFTER = Duration.ofHours(1);

    private Folders() {}

    /** Deletes a folder with its content; does not follow links. */
    static void delete(Path place) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(place)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }

    /** Deletes what killed workers left unfinished. */
    static void deleteAbandoned(Path parent) throws IOException {
        Instant limit = Instant.now().minus(ABANDONED_AFTER);
        List<Path> unfinished;
        try (Stream<Path> entries = Files.list(parent)) {
            unfinished = entries.filter(
                            entry -> String.valueOf(entry.getFileName()).startsWith("new-"))
                    .filter(entry -> modified(entry).isBefore(limit))
                    .toList();
        }
        for (Path entry : unfinished) {
            delete(entry);
        }
    }

    private static Instant modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
