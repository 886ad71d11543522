package dev.millrace.cli.local;

import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Programs of the embedded Postgres, which are unpacked once. They are made read-only, because no one needs to write to
 * them again, least of all the steps that run beside them. Their folders stay writable, so that the programs can be
 * deleted.
 */
final class UnpackedPrograms {
    /** The library's name for the folders that it unpacks to, one for each version. */
    private static final String FOLDERS = "PG-*";

    private static final String PROGRAM = "bin/postgres";

    private UnpackedPrograms() {}

    /** Makes all files read-only. */
    static void protect(Path binaries) throws IOException {
        try (var versions = Files.newDirectoryStream(binaries, FOLDERS)) {
            for (Path version : versions) {
                Path program = version.resolve(PROGRAM);
                // Unpacking may have been interrupted.
                if (Files.exists(program)
                        && Files.getPosixFilePermissions(program).contains(OWNER_WRITE)) {
                    makeReadOnly(version);
                }
            }
        }
    }

    /** Makes the program itself read-only last: while it is writable, other files may still be writable, too. */
    private static void makeReadOnly(Path version) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(version)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        Path program = version.resolve(PROGRAM);
        for (Path file : files) {
            if (!file.equals(program)) {
                makeFileReadOnly(file);
            }
        }
        makeFileReadOnly(program);
    }

    private static void makeFileReadOnly(Path file) throws IOException {
        if (!file.toFile().setWritable(false, false)) {
            throw new IOException("The file " + file + " cannot be made read-only");
        }
    }
}
