package dev.millrace.scheduler.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.queue.core.RunId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Names calls in the history. Calls with the same name start one run. */
final class Occurrence {
    /** Longest name of a message that is kept as it is, in characters. */
    private static final int LENGTH_MAX = 200;

    private Occurrence() {}

    /**
     * The name of a call.
     *
     * @param message what names its message; empty if each call starts a run
     */
    static String of(Optional<String> message, RunId run) {
        return message.map(name -> "message " + shortened(name)).orElse("call " + run);
    }

    private static String shortened(String name) {
        boolean isPlain = name.length() <= LENGTH_MAX && name.chars().noneMatch(Character::isISOControl);
        return isPlain ? name : "sha256:" + sha256(name);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
