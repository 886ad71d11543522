package dev.millrace.scheduler.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Credentials;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.core.TokenText;
import java.time.Duration;
import java.util.Optional;

/**
 * Finds what tokens give, and remembers it. Tokens in use are read again before they are too old, on threads of their
 * own, so that calls seldom wait. Memory holds hashes, no tokens.
 */
public final class TokenCredentials implements Credentials {
    /** Longest time for which a token works after it was revoked by a scheduler whose notification got lost. */
    private static final Duration REMEMBERED_MAX = Duration.ofSeconds(10);

    private static final Duration READ_AGAIN_AFTER = Duration.ofSeconds(5);
    /** Maximum weight of all tokens in memory: 10,000 tokens with few roles, or fewer with many. */
    private static final long REMEMBERED_WEIGHT_MAX = 100_000;
    /** For so long after its last use, a token is told apart from those that somebody makes up. */
    private static final Duration USE_REMEMBERED = Duration.ofDays(1);

    private static final int USES_MAX = 20_000;
    /** What a token weighs besides its roles, which weigh 1 each. */
    private static final int TOKEN_WEIGHT = 10;

    private final LoadingCache<TokenHash, Optional<Access>> remembered;
    /** Tokens that have worked, whatever they give now. */
    private final Cache<TokenHash, Boolean> used = Caffeine.newBuilder()
            .expireAfterAccess(USE_REMEMBERED)
            .maximumSize(USES_MAX)
            .build();

    private final KnownTokens known;

    public TokenCredentials(Database database) {
        this(new TokenReader(database)::read, new KnownTokens(new TokenStore(database)::beginnings));
    }

    /**
     * Remembers what a source of tokens says.
     *
     * @param source what a token gives; may wait
     */
    TokenCredentials(CacheLoader<TokenHash, Optional<Access>> source, KnownTokens known) {
        this.known = known;
        this.remembered = Caffeine.newBuilder()
                .expireAfterWrite(REMEMBERED_MAX)
                .refreshAfterWrite(READ_AGAIN_AFTER)
                .maximumWeight(REMEMBERED_WEIGHT_MAX)
                .weigher((TokenHash _, Optional<Access> found) -> TOKEN_WEIGHT
                        + found.map(access -> access.rights().size()).orElse(0))
                .executor(Thread::startVirtualThread)
                .build(hash -> noted(hash, source.load(hash)));
    }

    @Override
    public boolean isToken(String text) {
        return TokenText.parse(text).isPresent();
    }

    @Override
    public boolean isRemembered(String token) {
        return TokenText.parse(token)
                .map(TokenHash::of)
                .map(hash -> remembered.getIfPresent(hash) != null || used.getIfPresent(hash) != null)
                .orElse(false);
    }

    @Override
    public boolean isKnown(String token) {
        return TokenText.parse(token).map(TokenHash::of).filter(known::contains).isPresent();
    }

    @Override
    public Optional<Access> findRemembered(String token) {
        return TokenText.parse(token)
                .map(text -> remembered.getIfPresent(TokenHash.of(text)))
                .flatMap(found -> found);
    }

    @Override
    public Optional<Access> find(String token) {
        return TokenText.parse(token).flatMap(text -> remembered.get(TokenHash.of(text)));
    }

    private Optional<Access> noted(TokenHash hash, Optional<Access> found) {
        if (found.isPresent()) {
            used.put(hash, true);
        }
        return found;
    }

    /** Forgets what all tokens give, because some may have changed. */
    public void forgetAll() {
        remembered.invalidateAll();
    }
}
