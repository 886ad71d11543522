package dev.millrace.worker.internal.runtime;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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

    /** Size of all files below a folder, in bytes. Files that go meanwhile are left out. */
    public static long bytes(Path folder) throws IOException {
        var bytes = new AtomicLong();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes.get();
    }
}
