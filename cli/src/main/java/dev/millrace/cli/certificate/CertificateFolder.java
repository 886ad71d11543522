package dev.millrace.cli.certificate;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.millrace.certificate.Certificate;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** Folder with certificates and their keys. Only this user may read the keys. */
record CertificateFolder(Path folder) {
    static final String AUTHORITY = "ca";
    static final String SERVER = "server";
    static final String CLIENT = "client";
    private static final List<String> ALL = List.of(AUTHORITY, SERVER, CLIENT);

    CertificateFolder {
        requireNonNull(folder, "folder");
    }

    /** Makes the folder. Fails if it holds certificates that must not be replaced. */
    static CertificateFolder create(Path folder, boolean isReplaced) throws IOException {
        CertificateFolder created =
                new CertificateFolder(folder.toAbsolutePath().normalize());
        for (String name : ALL) {
            if (!isReplaced && (Files.exists(created.certificate(name)) || Files.exists(created.key(name)))) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "There are certificates in " + created.folder
                                + " already: name another folder with --out, or replace them with --force.");
            }
        }
        Files.createDirectories(created.folder);
        return created;
    }

    Path certificate(String name) {
        return folder.resolve(name + ".pem");
    }

    Path key(String name) {
        return folder.resolve(name + ".key");
    }

    void write(String name, Certificate certificate) throws IOException {
        write(key(name), certificate.keyPem(), "rw-------");
        write(certificate(name), certificate.certificatePem(), "rw-r--r--");
    }

    /** Writes a new file and puts it in its place, so that no reader sees half of it. */
    private void write(Path file, String text, String permissions) throws IOException {
        Path unfinished = folder.resolve(file.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        try (SeekableByteChannel channel = Files.newByteChannel(
                unfinished,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)))) {
            channel.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
