package dev.millrace.scheduler.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The secret with which a worker resumes its session. Only its hash is kept. */
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
