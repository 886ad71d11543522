package dev.millrace.scheduler.webhook;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.millrace.scheduler.webhook.core.Authentication;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What calls of webhooks had to prove when somebody last looked it up. While strangers are refused from memory, memory also
 * tells a genuine call from theirs, so that nobody is silenced by whoever calls from the same address. It decides nothing else: a
 * call that passes is looked up as usual. Thread-safe, and of this scheduler alone.
 */
final class RememberedProofs {
    static final Duration KEPT = Duration.ofMinutes(10);
    private static final int HOOKS_MAX = 1_000;

    private final Cache<String, Proof> proofs;

    /** @param secrets values of the secrets, any of which a caller may know */
    record Proof(Authentication by, List<String> secrets) {
        Proof {
            requireNonNull(by, "by");
            secrets = List.copyOf(secrets);
        }

        /** The same with the longest window, since the time of the database is not known here. */
        Proof atAnyTime() {
            return new Proof(
                    new Authentication(by.scheme(), by.header(), by.user(), Authentication.WINDOW_MAX), secrets);
        }

        @Override
        public String toString() {
            return "Proof[hidden]";
        }
    }

    RememberedProofs(Ticker ticker) {
        this.proofs = Caffeine.newBuilder()
                .expireAfterWrite(KEPT)
                .maximumSize(HOOKS_MAX)
                .ticker(ticker)
                .build();
    }

    /** @param hook workspace and path, as the caller wrote them */
    void keep(String hook, Proof proof) {
        proofs.put(hook, proof);
    }

    Optional<Proof> find(String hook) {
        return Optional.ofNullable(proofs.getIfPresent(hook));
    }
}
