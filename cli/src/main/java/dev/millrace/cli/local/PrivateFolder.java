package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Folders and files that only this user may read, write or enter. */
final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE_OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private PrivateFolder() {}

    /** Creates the folder, or restricts an existing one to this user. Fails if it belongs to another user. */
    static void make(Path folder) {
        try {
            Files.createDirectories(folder);
            if (!Files.getPosixFilePermissions(folder).equals(OWNER_ONLY)) {
                Files.setPosixFilePermissions(folder, OWNER_ONLY);
            }
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The folder " + folder + " cannot be restricted to this user: " + e
                            + ". It must be on a writable file system and belong to the user who starts Millrace.",
                    e);
        }
    }

    /**
     * Creates an empty file beside {@code path} that only this user may read. The caller fills it and moves it to
     * {@code path}.
     */
    static Path newFileFor(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        return Files.createTempFile(
                folder, path.getFileName() + ".", ".new", PosixFilePermissions.asFileAttribute(FILE_OWNER_ONLY));
    }
}
