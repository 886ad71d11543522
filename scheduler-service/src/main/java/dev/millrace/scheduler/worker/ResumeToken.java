package dev.millrace.scheduler.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The secret that a worker needs to resume its session. The database contains only its hash. */
final class ResumeToken {
    private static final int BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private ResumeToken() {}

    static String make() {
        byte[] secret = new byte[BYTES];
        RANDOM.nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
