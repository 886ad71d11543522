package dev.millrace.client.internal.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.client.AccessException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A token, or the file that holds it, which is read again after the scheduler has refused it. Thread-safe. */
public final class TokenSource {
    /** Most characters of a token; more than any has. */
    private static final int LENGTH_MAX = 4096;

    private final String file;
    private volatile String token;

    private TokenSource(String token, String file) {
        this.token = token;
        this.file = file;
    }

    /** Reads the file, unless its path is empty. */
    static TokenSource of(String token, String file) {
        return new TokenSource(file.isEmpty() ? token.strip() : read(file), file);
    }

    /** The token; empty if there is none. */
    public String token() {
        return token;
    }

    /** Reads the file again after a refusal of what was shown; returns whether there is another token to try. */
    public synchronized boolean renew(String shown) {
        if (!file.isEmpty() && token.equals(shown)) {
            try {
                token = read(file);
            } catch (AccessException unusable) {
                return false;
            }
        }
        return !token.equals(shown);
    }

    /** Hides the token. */
    @Override
    public String toString() {
        return "TokenSource[" + (file.isEmpty() ? token.isEmpty() ? "none" : "a token" : "file " + file) + "]";
    }

    private static String read(String file) {
        String first;
        try (BufferedReader text = Files.newBufferedReader(Path.of(file), UTF_8)) {
            first = text.readLine();
        } catch (IOException unreadable) {
            throw new AccessException(
                    "The token cannot be read from " + file + ": " + unreadable
                            + ". Check the path and that this user may read it.",
                    unreadable);
        }
        if (first == null || first.isBlank() || first.length() > LENGTH_MAX) {
            throw new AccessException("The file " + file + " holds no token (expected: the token on its first line).");
        }
        return first.strip();
    }
}
