package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value that comes from files. It is read again once they have changed and have then stayed the same for one check, so
 * that files which are written one after the other are read together. If they cannot be read, the old value stays.
 *
 * <p>One thread checks; any thread may read the value.
 */
final class Renewed<T> {
    private static final Logger log = LoggerFactory.getLogger(Renewed.class);

    private static final String NONE = "";

    private final List<Path> files;
    private final Supplier<T> reading;
    private volatile T current;
    /** What the files held when they were read last, with or without success. */
    private byte[] read;

    /** What they held at the last check; empty if they could not be read then. */
    private byte[] seen;

    private String trouble = NONE;

    /** Reads the files for the first time. Fails as the reading does. */
    Renewed(List<Path> files, Supplier<T> reading) {
        this.files = List.copyOf(files);
        this.reading = requireNonNull(reading, "reading");
        this.read = digest();
        this.seen = read;
        this.current = reading.get();
    }

    T current() {
        return current;
    }

    /** Looks at the files, and reads them again if it is time to. */
    synchronized void check() {
        try {
            byte[] now = digest();
            boolean isSettled = Arrays.equals(now, seen);
            seen = now;
            if (!isSettled) {
                trouble = NONE;
            } else if (!Arrays.equals(now, read)) {
                read = now;
                current = reading.get();
                log.atInfo().addKeyValue("files", files).log("Changed certificates are in use for new connections");
            }
        } catch (TlsException broken) {
            seen = new byte[0];
            warn(String.valueOf(broken.getMessage()));
        }
    }

    /** Warns of each trouble once. */
    private void warn(String reason) {
        if (!reason.equals(trouble)) {
            trouble = reason;
            log.atWarn()
                    .addKeyValue("reason", reason)
                    .log("Changed certificates cannot be used: the old ones stay in use");
        }
    }

    private byte[] digest() {
        MessageDigest digest = sha256();
        files.forEach(file -> digest.update(digestOf(file)));
        return digest.digest();
    }

    private static byte[] digestOf(Path file) {
        return sha256().digest(Pem.bytes(file));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("Each Java has SHA-256.", impossible);
        }
    }
}
