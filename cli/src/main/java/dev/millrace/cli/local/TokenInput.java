package dev.millrace.cli.local;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads a token from a stream that somebody else has opened. So the file may be one that this user, and with it the
 * scripts of a worker, cannot open.
 */
final class TokenInput {
    /** More than any token has. */
    private static final int LENGTH_MAX = 4 << 10;

    private TokenInput() {}

    /** The first line of the stream. Reads no further. */
    static String readLine(InputStream in) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            for (int next = in.read(); next >= 0 && next != '\n' && line.size() < LENGTH_MAX; next = in.read()) {
                line.write(next);
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "The token cannot be read from standard input: " + unreadable.getMessage(), unreadable);
        }
        String token = line.toString(US_ASCII).strip();
        if (token.isEmpty()) {
            throw new IllegalArgumentException(
                    SchedulerConnection.TOKEN_FILE + " is \"-\", and standard input holds no token on its first line.");
        }
        return token;
    }
}
