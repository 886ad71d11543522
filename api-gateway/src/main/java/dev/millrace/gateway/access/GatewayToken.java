package dev.millrace.gateway.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The token of the gateway itself, in a file so that no list of processes and no environment shows it. It gives no
 * rights; the scheduler believes it the addresses of callers.
 */
public final class GatewayToken {

    private GatewayToken() {}

    /**
     * Reads the token.
     *
     * @throws IllegalArgumentException if the file cannot be read, or holds something else
     */
    public static String read(Path file) {
        try {
            var token = Files.readString(file).strip();
            if (!BearerHeader.isToken(token)) {
                throw unusable(file, "the file does not hold one token", null);
            }
            return token;
        } catch (IOException e) {
            throw unusable(file, "the file cannot be read", e);
        }
    }

    private static IllegalArgumentException unusable(Path file, String why, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "millrace.gateway.token-file: " + file + " (" + why
                        + "; an owner makes a token with `millrace tokens create --gateway --name NAME --out FILE`)",
                cause);
    }
}
