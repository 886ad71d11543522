package dev.millrace.scheduler.identity;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells tokens that the database has from made-up ones without a look for each of them: the beginnings of all hashes in
 * memory, which are read once a minute at most, and only while somebody asks. Nobody can make up a token whose hash
 * begins like another one. Thread-safe.
 */
final class KnownTokens {
    /** Maximum number of tokens that are told apart, the last used first: 8 bytes each. */
    static final int TOKENS_MAX = 500_000;
    /** For so long, a new token is taken for a made-up one. */
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(KnownTokens.class);

    private final IntFunction<byte[]> source;
    private final LoadingCache<Integer, long[]> beginnings =
            Caffeine.newBuilder().expireAfterWrite(READ_AGAIN_AFTER).build(this::read);

    /**
     * @param source the beginnings of this many hashes at most, one after another, {@link TokenHash#BEGINNING_BYTES}
     *     each; may wait
     */
    KnownTokens(IntFunction<byte[]> source) {
        this.source = source;
    }

    /** Whether the database had a token with this hash when it was last read. Blocking. */
    boolean contains(TokenHash hash) {
        return Arrays.binarySearch(beginnings.get(TOKENS_MAX), hash.beginning()) >= 0;
    }

    private long[] read(int tokensMax) {
        try {
            LongBuffer read = ByteBuffer.wrap(source.apply(tokensMax)).asLongBuffer();
            long[] sorted = new long[read.remaining()];
            read.get(sorted);
            Arrays.sort(sorted);
            return sorted;
        } catch (RuntimeException failure) {
            // Whoever makes up tokens meanwhile must not let each of them ask again.
            log.atWarn()
                    .addKeyValue("retryAfter", READ_AGAIN_AFTER)
                    .setCause(failure)
                    .log("Tokens could not be read, so tokens of addresses with many unknown ones have to wait");
            return new long[0];
        }
    }
}
