package dev.millrace.scheduler.identity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.scheduler.identity.core.TokenText;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 hash of a token, which identifies it in tables and in memory. A fast hash is enough, because tokens have 190
 * random bits.
 */
final class TokenHash {
    /** Length of {@link #beginning}. */
    static final int BEGINNING_BYTES = Long.BYTES;

    private final byte[] bytes;

    private TokenHash(byte[] bytes) {
        this.bytes = bytes;
    }

    static TokenHash of(TokenText token) {
        try {
            return new TokenHash(
                    MessageDigest.getInstance("SHA-256").digest(token.text().getBytes(US_ASCII)));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java runtime has SHA-256", missing);
        }
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** The first bytes, which no two tokens share but by a chance of one in billions. */
    long beginning() {
        return ByteBuffer.wrap(bytes).getLong();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TokenHash that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
