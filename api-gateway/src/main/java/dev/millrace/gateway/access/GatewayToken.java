package dev.millrace.gateway.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token of the gateway itself, in a file so that no list of processes and no environment shows it. It gives no
 * rights; the scheduler believes it the addresses of callers.
 *
 * <p>While calls use the token, the file is read again every second on a thread of its own, because calls must not wait.
 * If it cannot be read then, the old token stays. Thread-safe.
 */
public final class GatewayToken {

    private static final Logger log = LoggerFactory.getLogger(GatewayToken.class);

    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

    private static final String NONE = "";

    private final Path file;
    private final AtomicLong lastLookNanos = new AtomicLong(System.nanoTime());
    private volatile String current;
    private volatile String trouble = NONE;

    private GatewayToken(Path file, String current) {
        this.file = file;
        this.current = current;
    }

    /**
     * Reads the token for the first time.
     *
     * @throws IllegalArgumentException if the file cannot be read, or holds something else
     */
    public static GatewayToken in(Path file) {
        return new GatewayToken(file, read(file));
    }

    /** The token as it was read last. Never waits. */
    public String current() {
        var now = System.nanoTime();
        var last = lastLookNanos.get();
        if (now - last >= LOOK_INTERVAL.toNanos() && lastLookNanos.compareAndSet(last, now)) {
            Thread.ofVirtual().name("gateway-token").start(this::look);
        }
        return current;
    }

    /** Reads the file again. */
    void look() {
        try {
            var token = read(file);
            trouble = NONE;
            if (!token.equals(current)) {
                current = token;
                log.atInfo().addKeyValue("file", file).log("The token of this gateway has changed");
            }
        } catch (IllegalArgumentException unusable) {
            warn(String.valueOf(unusable.getMessage()));
        }
    }

    /** Warns of each trouble once. */
    private void warn(String reason) {
        if (!reason.equals(trouble)) {
            trouble = reason;
            log.atWarn()
                    .addKeyValue("reason", reason)
                    .log("The token of this gateway cannot be read again: the old one stays in use");
        }
    }

    private static String read(Path file) {
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

    @Override
    public String toString() {
        return "GatewayToken[hidden]";
    }
}
