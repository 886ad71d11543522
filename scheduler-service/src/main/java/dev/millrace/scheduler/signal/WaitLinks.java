package dev.millrace.scheduler.signal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Signs and verifies links, with a secret of the installation that the database stores. Thread-safe. */
final class WaitLinks {
    /** Maximum number of people per call. */
    static final int ACTORS_MAX = 100;

    static final Duration VALID_DEFAULT = Duration.ofDays(30);
    static final Duration VALID_MAX = Duration.ofDays(366);

    private static final String SECRET_NAME = "wait_links";
    private static final int SECRET_BYTES = 32;

    private final byte[] secret;

    WaitLinks(ServerSecretStore secrets) {
        byte[] fresh = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(fresh);
        this.secret = secrets.findOrKeep(SECRET_NAME, fresh);
    }

    /** The tokens of one person. */
    record Pair(String actor, String accept, String deny, Instant expires) {
        @Override
        public String toString() {
            return "Pair[hidden]";
        }
    }

    List<Pair> create(RunId run, String stepKey, List<String> actors, Instant signed, Instant expires) {
        Optional<Instant> time = Optional.of(signed.truncatedTo(ChronoUnit.MILLIS));
        return actors.stream()
                .map(actor -> new Pair(
                        actor,
                        new LinkToken(stepKey, actor, false, expires, time).sign(run, secret),
                        new LinkToken(stepKey, actor, true, expires, time).sign(run, secret),
                        expires))
                .toList();
    }

    /**
     * Verifies a link: its signature first, which anybody may ask for, and which costs no look at the database.
     *
     * @param now the time of the database, which is asked for only if the signature is right
     * @throws MillraceException with {@link ErrorCode#WAIT_LINK_INVALID} if the signature is wrong or the link has expired
     */
    LinkToken verify(RunId run, String text, Supplier<Instant> now) {
        LinkToken token = LinkToken.verify(text, run, secret)
                .orElseThrow(() -> invalid("This link is not valid for this run. Ask whoever sent it for a new one."));
        if (!now.get().isBefore(token.expires())) {
            throw invalid("This link expired at " + token.expires() + ". Ask whoever sent it for a new one.");
        }
        return token;
    }

    /** Returns the common prefix of the request ids of all uses of a link. It reveals nothing about the link. */
    static String requestIdStart(LinkToken token) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(token.content().getBytes(UTF_8));
            return "link " + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + " ";
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }

    static MillraceException revoked() {
        return invalid("This link was revoked. Ask whoever sent it for a new one.");
    }

    private static MillraceException invalid(String message) {
        return new MillraceException(ErrorCode.WAIT_LINK_INVALID, message);
    }
}
