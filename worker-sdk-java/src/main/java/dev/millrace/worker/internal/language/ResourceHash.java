package dev.millrace.worker.internal.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Short hash of files on the class path, which names a version of them. */
final class ResourceHash {
    private static final int BYTES = 8;

    private ResourceHash() {}

    /** Reads a file by its name. */
    interface Reader {
        byte[] read(String name) throws IOException;
    }

    static String of(List<String> names, Reader reader) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String name : names) {
                digest.update((name + '\0').getBytes(UTF_8));
                digest.update(MessageDigest.getInstance("SHA-256").digest(reader.read(name)));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
