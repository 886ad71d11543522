package dev.millrace.worker.internal.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with all that is in them. Links are not followed. */
public final class FileTree {
    private FileTree() {}

    /** Deletes a file, or a folder with its content. */
    public static void delete(Path place) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(place)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }
}
