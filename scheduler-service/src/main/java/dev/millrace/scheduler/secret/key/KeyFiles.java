package dev.millrace.scheduler.secret.key;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.aead.AesGcmKey;
import com.google.crypto.tink.aead.AesGcmParameters;
import com.google.crypto.tink.util.SecretBytes;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Key-encryption keys in files: one file, or all files with the extension {@code .key} of a folder. A file holds 32
 * random bytes in base64, and nobody but its owner may read it.
 */
final class KeyFiles {
    static final String EXTENSION = ".key";

    private static final String SETTING = "millrace.secrets.key-file";
    private static final int KEY_BYTES = 32;
    private static final int IV_BYTES = 12;
    private static final int TAG_BYTES = 16;
    /** Maximum size of a file; a key and a line end have 45 bytes. */
    private static final long FILE_BYTES_MAX = 1_000;

    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    private KeyFiles() {}

    /** The keys in the order of their ids; none if nothing is there. */
    static List<WrappingKey> read(Path place) {
        try {
            List<WrappingKey> keys = new ArrayList<>();
            for (Path file : files(place)) {
                keys.add(key(file));
            }
            return keys;
        } catch (IOException unreadable) {
            throw invalid(place + " cannot be read: " + unreadable + ".", unreadable);
        }
    }

    /** Writes a new key, in a file that is not there yet. */
    static Path create(Path place, String id, byte[] key) {
        Path file = place.getFileName().toString().endsWith(EXTENSION) ? place : place.resolve(id + EXTENSION);
        try {
            if (file.getParent() != null && !Files.exists(file.getParent())) {
                Files.createDirectories(
                        file.getParent(),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, Base64.getEncoder().encodeToString(key) + "\n");
            return file;
        } catch (IOException unwritable) {
            throw invalid(
                    "A key cannot be written to " + file + ": set " + SETTING
                            + " to a file or folder that this user may write.",
                    unwritable);
        }
    }

    private static List<Path> files(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return Files.exists(place) ? List.of(place) : List.of();
        }
        try (Stream<Path> inside = Files.list(place)) {
            return inside.filter(file -> file.getFileName().toString().endsWith(EXTENSION))
                    .sorted()
                    .toList();
        }
    }

    private static WrappingKey key(Path file) throws IOException {
        // Of the file itself, not of a symbolic link to it, as Kubernetes mounts files.
        if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
            throw invalid(
                    "Others than its owner may read or change the key " + file + ": take the permissions away with"
                            + " chmod 600 " + file + ".",
                    null);
        }
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw malformed(file);
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(Files.readString(file).strip());
            if (bytes.length != KEY_BYTES) {
                throw malformed(file);
            }
            return key(id(file), bytes);
        } catch (IllegalArgumentException notBase64) {
            throw malformed(file);
        }
    }

    static String id(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(EXTENSION) ? name.substring(0, name.length() - EXTENSION.length()) : name;
    }

    @AccessesPartialKey
    static WrappingKey key(String id, byte[] bytes) {
        try {
            AesGcmKey key = AesGcmKey.builder()
                    .setParameters(AesGcmParameters.builder()
                            .setKeySizeBytes(KEY_BYTES)
                            .setIvSizeBytes(IV_BYTES)
                            .setTagSizeBytes(TAG_BYTES)
                            .setVariant(AesGcmParameters.Variant.NO_PREFIX)
                            .build())
                    .setKeyBytes(SecretBytes.copyFrom(bytes, InsecureSecretKeyAccess.get()))
                    .build();
            KeysetHandle handle = KeysetHandle.newBuilder()
                    .setConfiguration(Ciphers.CONFIGURATION)
                    .addEntry(KeysetHandle.importKey(key).withRandomId().makePrimary())
                    .build();
            return new WrappingKey(id, Ciphers.of(handle));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("a key of 32 bytes is a key of AES-256-GCM", impossible);
        }
    }

    private static MillraceException malformed(Path file) {
        return invalid(
                "The file " + file + " is no key (expected: 32 random bytes in base64, such as those of"
                        + " openssl rand -base64 32).",
                null);
    }

    private static MillraceException invalid(String message, @Nullable Throwable cause) {
        return cause == null
                ? new MillraceException(ErrorCode.INVALID_CONFIG, message)
                : new MillraceException(ErrorCode.INVALID_CONFIG, message, cause);
    }
}
