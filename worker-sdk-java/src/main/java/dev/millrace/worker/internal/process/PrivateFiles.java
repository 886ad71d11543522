package dev.millrace.worker.internal.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Files of the worker near user code: folders that only the worker's user can enter, and files that no one writes by
 * accident.
 */
final class PrivateFiles {
    private PrivateFiles() {}

    /** Creates a folder that only the worker's user can enter, if the file system supports users. */
    static Path folder(Path folder) throws IOException {
        Files.createDirectories(folder);
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        return folder;
    }

    /** Writes a new, read-only file. */
    static void writeReadOnly(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        if (!file.toFile().setWritable(false, false)) {
            throw new IOException("The file " + file + " cannot be made read-only");
        }
    }

    /** Returns the content of a regular file; empty if it is not one, or cannot be read. */
    static Optional<byte[]> read(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
