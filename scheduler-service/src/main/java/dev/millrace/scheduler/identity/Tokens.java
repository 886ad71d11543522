package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.CallSubject;
import dev.millrace.scheduler.access.Rights;
import dev.millrace.scheduler.access.RightsChanged;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.identity.core.TokenText;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.quota.QuotasChanged;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.runtime.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Issues, lists and revokes tokens. Blocking and thread-safe. */
public final class Tokens {
    /** Longest time for which a browser stays logged in. */
    private static final Duration SESSION_MAX = Duration.ofDays(7);
    /** Longest time for which a browser stays logged in without a request. */
    private static final Duration SESSION_IDLE_MAX = Duration.ofHours(8);

    /** Longest time for which a program works that a user has approved. */
    private static final Duration DEVICE_MAX = Duration.ofDays(30);
    /** Time for a job of a CI system. */
    private static final Duration EXCHANGE_MAX = Duration.ofMinutes(15);

    private static final UUID FIRST = new UUID(-1, -1);

    private final TokenStore store;
    private final EventBus bus;
    private final IdSource ids;
    private final RandomGenerator random;

    /**
     * Issues tokens.
     *
     * @param random unpredictable
     */
    public Tokens(Database database, EventBus bus, IdSource ids, RandomGenerator random) {
        this.store = new TokenStore(database);
        this.bus = bus;
        this.ids = ids;
        this.random = random;
    }

    /** A token whose text is known only now. */
    public record Issued(String secret, Token token) {}

    /**
     * A token that was revoked.
     *
     * @param issued number of tokens that were issued by it and ended with it
     */
    record Revoked(Token token, int issued) {}

    /** Who issues a token, and by which token; absent if none was shown. */
    private record Issuer(String name, Optional<UUID> token) {
        static Issuer of(String name) {
            return new Issuer(name, Optional.empty());
        }

        static Issuer of(Access access) {
            return new Issuer(access.name(), access.caller().credential());
        }
    }

    /**
     * What a token shall be.
     *
     * @param validFor time until it expires; absent for never
     */
    record Wish(String name, Optional<Duration> validFor, Token.Restrictions restrictions) {}

    /** A token of the caller, which grants no more and lasts no longer than the one that the caller has shown. */
    Issued ofCaller(Access access, Wish wish) {
        return like(issuer(access), wish, access.name());
    }

    /**
     * A token for a program whose user has approved it with another token, which is cut and ends as if the user had
     * issued it.
     */
    public Issued ofDevice(Token approved, String name) {
        Wish wish = new Wish(name, Optional.of(DEVICE_MAX), Token.Restrictions.NONE);
        return like(
                approved, wish, approved.principal().map(Principal::actorName).orElse(approved.name()));
    }

    /** A token for the browser of a user who has logged in at a provider. */
    public Issued ofLogin(Principal user) {
        Wish wish = new Wish("browser", Optional.of(SESSION_MAX), Token.Restrictions.NONE);
        return issue(
                TokenKind.SESSION, Optional.of(user), wish, Optional.of(SESSION_IDLE_MAX), Issuer.of(user.actorName()));
    }

    /**
     * A token of a service account for a program that has shown a JWT.
     *
     * @param by whom the JWT names
     */
    public Issued ofExchange(Principal account, String by) {
        Wish wish = new Wish("exchange", Optional.of(EXCHANGE_MAX), Token.Restrictions.NONE);
        return issue(TokenKind.SERVICE_ACCOUNT, Optional.of(account), wish, Optional.empty(), Issuer.of(by));
    }

    /** The token with this id, if it works. */
    public Optional<Token> findWorking(UUID id) {
        return store.findWorking(id);
    }

    private Issued like(Token shown, Wish wish, String by) {
        TokenKind kind = shown.kind() == TokenKind.SESSION ? TokenKind.USER : shown.kind();
        Wish cut = new Wish(
                wish.name(),
                shown.kind() == TokenKind.SESSION ? wish.validFor() : atMost(wish.validFor(), shown),
                cut(wish.restrictions(), shown.restrictions()));
        return issue(kind, shown.principal(), cut, Optional.empty(), new Issuer(by, Optional.of(shown.id())));
    }

    /** A token of a user or service account. */
    Issued of(Principal principal, Wish wish, Access by) {
        TokenKind kind = switch (principal.kind()) {
            case USER -> TokenKind.USER;
            case SERVICE_ACCOUNT -> TokenKind.SERVICE_ACCOUNT;
            case GROUP -> throw new IllegalArgumentException("a group has no tokens");
        };
        return issue(kind, Optional.of(principal), wish, Optional.empty(), Issuer.of(by));
    }

    /** A token for workers or gateways. */
    Issued ofProgram(TokenKind kind, Wish wish, Access by) {
        return issue(kind, Optional.empty(), wish, Optional.empty(), Issuer.of(by));
    }

    /** A token for the browser of the caller. */
    Issued ofBrowser(Access access) {
        Token shown = shown(access);
        if (shown.kind() != TokenKind.USER && shown.kind() != TokenKind.SESSION) {
            throw new MillraceException(
                    ErrorCode.NO_PRINCIPAL, "Only users log in by a browser: use the token of a user.");
        }
        Wish wish = new Wish("browser", atMost(Optional.of(SESSION_MAX), shown), shown.restrictions());
        return issue(TokenKind.SESSION, shown.principal(), wish, Optional.of(SESSION_IDLE_MAX), Issuer.of(access));
    }

    /** The tokens of the caller. */
    PageRequest.Page<Token> listOwn(Access access, PageRequest page) {
        UUID principal = access.caller().principal().orElseThrow(() -> noPrincipal(access));
        return page.of(
                limit -> store.ofPrincipal(principal, before(page), limit),
                token -> token.id().toString());
    }

    /** The tokens of service accounts and workers of a workspace, whose admin the caller must be. */
    PageRequest.Page<Token> listOf(Workspace workspace, Access access, PageRequest page) {
        access.requireWorkspace(Role.ADMIN, workspace);
        return page.of(
                limit -> store.ofWorkspace(workspace, before(page), limit),
                token -> token.id().toString());
    }

    /** All tokens of the installation, which the caller must own. */
    PageRequest.Page<Token> listAll(Access access, PageRequest page) {
        access.requireInstallation(Role.OWNER);
        return page.of(
                limit -> store.all(before(page), limit), token -> token.id().toString());
    }

    /**
     * Revokes a token: of the caller, of a workspace whose admin the caller is, or any if the caller is owner.
     *
     * @param id absent for the token that the caller has shown
     * @param issued which of the tokens that were issued by it end with it
     */
    Revoked revoke(Optional<UUID> id, WithIssued issued, Access access) {
        String none = "There is no such token, or it is not yours to revoke.";
        Token token = id.or(() -> access.caller().credential())
                .flatMap(store::find)
                .orElseThrow(() -> new MillraceException(ErrorCode.TOKEN_NOT_FOUND, none));
        if (!mayRevoke(token, access)) {
            throw MillraceException.hiding(ErrorCode.TOKEN_NOT_FOUND, none);
        }
        int ended = store.revoke(token, issued);
        bus.publish(new RightsChanged());
        return new Revoked(store.find(token.id()).orElse(token), ended);
    }

    private static boolean mayRevoke(Token token, Access access) {
        if (access.rights().allowsInstance(Role.OWNER)) {
            return true;
        }
        Optional<UUID> own = access.caller().principal();
        if (own.isPresent() && token.principal().map(Principal::id).equals(own)) {
            // Whoever steals a restricted token must not lock its owner out.
            return access.rights().restriction().equals(Rights.Restriction.NONE)
                    || access.caller().credential().equals(Optional.of(token.id()));
        }
        List<String> workers =
                token.kind() == TokenKind.WORKER ? token.restrictions().workspaces() : List.of();
        Optional<Workspace> workspace = workers.size() == 1
                ? Optional.of(Workspace.of(workers.getFirst()))
                : token.principal().flatMap(Principal::workspace);
        return workspace
                .filter(owner -> access.rights().allows(Role.ADMIN, owner))
                .isPresent();
    }

    private Issued issue(
            TokenKind kind, Optional<Principal> principal, Wish wish, Optional<Duration> idleMax, Issuer by) {
        TokenText text = TokenText.make(kind, random);
        UUID id = ids.nextUuid();
        CallSubject.note(id.toString());
        boolean isStored = store.insert(
                new TokenStore.NewToken(
                        id,
                        kind,
                        wish.name(),
                        principal.map(Principal::id),
                        wish.restrictions(),
                        by.name(),
                        by.token(),
                        wish.validFor(),
                        idleMax),
                TokenHash.of(text));
        if (!isStored) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY,
                    "There are " + TokenStore.TOKENS_MAX + " tokens of "
                            + principal.map(Principal::actorName).orElse("nobody")
                            + " that work, as many as there may be: revoke some first.");
        }
        if (wish.restrictions().submitsPerSecondMax() > 0) {
            bus.publish(new QuotasChanged());
        }
        return new Issued(text.text(), store.find(id).orElseThrow());
    }

    /**
     * The token by which the caller issues others. Fails with {@link ErrorCode#PERMISSION_DENIED} if it has a quota.
     */
    public Token issuer(Access access) {
        Token shown = shown(access);
        if (shown.restrictions().submitsPerSecondMax() > 0) {
            throw new MillraceException(
                    ErrorCode.PERMISSION_DENIED,
                    "This token has a quota of submitted runs, so it issues no tokens: each would have a quota of its own. Use another token.");
        }
        return shown;
    }

    /** The token that the caller has shown. Fails with {@link ErrorCode#NO_PRINCIPAL} if it is of nobody. */
    private Token shown(Access access) {
        return access.caller()
                .credential()
                .filter(_ -> access.caller().principal().isPresent())
                .flatMap(store::find)
                .orElseThrow(() -> noPrincipal(access));
    }

    private static MillraceException noPrincipal(Access access) {
        return new MillraceException(
                ErrorCode.NO_PRINCIPAL,
                access.name()
                        + " is neither a user nor a service account, and so has no tokens. Name the user or service account.");
    }

    private static Optional<Duration> atMost(Optional<Duration> wish, Token shown) {
        Optional<Duration> left = shown.expiresAt().map(end -> Duration.between(Instant.now(), end));
        return left.isEmpty()
                        || wish.filter(given -> given.compareTo(left.get()) <= 0)
                                .isPresent()
                ? wish
                : left;
    }

    private static Token.Restrictions cut(Token.Restrictions wish, Token.Restrictions shown) {
        return new Token.Restrictions(
                cut("workspaces", wish.workspaces(), shown.workspaces()),
                cut("folders", wish.folders(), shown.folders()),
                wish.tags(),
                shown.roleMax()
                        .map(max -> wish.roleMax().map(max::cutBy).orElse(max))
                        .or(wish::roleMax),
                wish.submitsPerSecondMax());
    }

    private static List<String> cut(String field, Collection<String> wish, List<String> shown) {
        if (!shown.isEmpty() && !shown.containsAll(wish)) {
            throw MillraceException.invalid(
                    "restrictions." + field, wish + " (expected: some of those of your own token: " + shown + ")");
        }
        return wish.isEmpty() ? shown : List.copyOf(wish);
    }

    private static UUID before(PageRequest page) {
        try {
            return page.after().isEmpty() ? FIRST : UUID.fromString(page.after());
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
