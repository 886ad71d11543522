package dev.millrace.scheduler.identity.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * Random text that is shown once, by whoever was given it. Only its SHA-256 is stored, which suffices because the text
 * has 256 random bits.
 */
record OneTimeSecret(String text) {
    private static final int BYTES = 32;

    /** @param random unpredictable */
    static OneTimeSecret make(RandomGenerator random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new OneTimeSecret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    byte[] hash() {
        return hash(text);
    }

    /** The hash under which a secret or a code is stored. */
    static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java runtime has SHA-256", missing);
        }
    }

    @Override
    public String toString() {
        return "OneTimeSecret[hidden]";
    }
}
