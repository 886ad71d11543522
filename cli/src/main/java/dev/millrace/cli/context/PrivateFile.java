package dev.millrace.cli.context;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** New content of a file that only this user may read. It replaces the file as a whole, or not at all. */
public final class PrivateFile implements AutoCloseable {
    static final FileAttribute<Set<PosixFilePermission>> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final Path target;
    private final Path draft;

    private PrivateFile(Path target, Path draft) {
        this.target = target;
        this.draft = draft;
    }

    /** Makes sure that the file can be written, and leaves it as it is. */
    public static PrivateFile prepare(Path file) throws IOException {
        Path target = file.toAbsolutePath();
        if (Files.isDirectory(target)) {
            throw new IOException(target + " is a folder");
        }
        return new PrivateFile(
                target, Files.createTempFile(target.getParent(), "." + target.getFileName(), ".new", FILE_MODE));
    }

    /** Replaces the file. */
    public void replace(String content) throws IOException {
        Files.write(draft, content.getBytes(UTF_8));
        Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Whether others than the owner may read or write the file. */
    static boolean isOpenToOthers(Path file) throws IOException {
        return !OWNER.containsAll(Files.getPosixFilePermissions(file));
    }

    /** Drops content that has not been written. */
    @Override
    public void close() throws IOException {
        Files.deleteIfExists(draft);
    }
}
