package dev.millrace.worker.internal.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.worker.WorkerToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token that calls show. One that comes from a file is read again after the scheduler has refused it, on a thread of
 * its own, because calls end on threads that must not wait. Thread-safe.
 */
final class TokenSource {
    /** More than any token has. */
    private static final int LENGTH_MAX = 4 << 10;

    private static final Logger logger = LoggerFactory.getLogger(TokenSource.class);

    private final Optional<Path> file;
    private final AtomicBoolean isReading = new AtomicBoolean();
    private volatile String token;

    private TokenSource(String token, Optional<Path> file) {
        this.token = token;
        this.file = file;
    }

    /** Reads the token. Fails with {@link IllegalArgumentException} if its file cannot be used. */
    static TokenSource of(WorkerToken token) {
        if (token instanceof WorkerToken.InFile inFile) {
            return new TokenSource(read(inFile.file()), Optional.of(inFile.file()));
        }
        return new TokenSource(
                token instanceof WorkerToken.Given given ? given.text().strip() : "", Optional.empty());
    }

    String token() {
        return token;
    }

    /** Reads the file again, unless the refused token has been replaced or the file is being read. Never waits. */
    void refused(String shown) {
        if (file.isPresent() && shown.equals(token) && isReading.compareAndSet(false, true)) {
            Thread reader = new Thread(() -> readAgain(file.get()), "millrace-token");
            reader.setDaemon(true);
            reader.start();
        }
    }

    private void readAgain(Path path) {
        try {
            String now = read(path);
            if (!now.equals(token)) {
                token = now;
                logger.atInfo().addKeyValue("file", path).log("The token of this worker has changed.");
            }
        } catch (IllegalArgumentException unusable) {
            logger.atWarn()
                    .addKeyValue("reason", unusable.getMessage())
                    .log("The scheduler refuses the token of this worker, and its file has no other.");
        } finally {
            isReading.set(false);
        }
    }

    private static String read(Path path) {
        try (InputStream in = Files.newInputStream(path);
                BufferedReader text = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            String first = text.readLine();
            if (first == null || first.isBlank() || first.length() > LENGTH_MAX) {
                throw new IllegalArgumentException(
                        "The file " + path + " holds no token (expected: the token on its first line).");
            }
            return first.strip();
        } catch (IOException | UncheckedIOException unreadable) {
            throw new IllegalArgumentException(
                    "The token cannot be read from " + path + ": " + unreadable
                            + ". Check the path and that this user may read it.",
                    unreadable);
        }
    }
}
