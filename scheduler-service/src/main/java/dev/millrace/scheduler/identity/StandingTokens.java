package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.identity.core.TokenText;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Tokens whose text nobody knows, for what acts for a person while the person is away. Such a token gives what the token
 * gave that the person showed, at most the role developer, in one workspace. It never expires; it is listed and revoked
 * like other tokens. One serves everything that a person leaves behind for the same purpose with the same restrictions.
 * Blocking and thread-safe.
 */
public final class StandingTokens {
    private final TokenStore store;
    private final IdSource ids;
    private final RandomGenerator random;

    /** @param random unpredictable */
    public StandingTokens(Database database, IdSource ids, RandomGenerator random) {
        this.store = new TokenStore(database);
        this.ids = ids;
        this.random = random;
    }

    /**
     * The id of such a token for the caller; empty for callers without a token.
     *
     * @param name name of the token in lists, the same for all tokens of a purpose
     * @throws MillraceException with {@link ErrorCode#TOO_MANY} if the caller has too many tokens
     */
    public Optional<UUID> of(Access access, Workspace workspace, String name) {
        return access.caller().credential().map(shown -> like(shown, access, workspace, name));
    }

    private UUID like(UUID shownId, Access access, Workspace workspace, String name) {
        Token shown = store.find(shownId).orElseThrow(() -> noPrincipal(access));
        Principal principal = shown.principal().orElseThrow(() -> noPrincipal(access));
        Token.Restrictions given = shown.restrictions();
        Token.Restrictions cut = new Token.Restrictions(
                List.of(workspace.name()),
                given.folders(),
                given.tags(),
                Optional.of(
                        given.roleMax().map(max -> max.cutBy(Role.DEVELOPER)).orElse(Role.DEVELOPER)),
                given.submitsPerSecondMax());
        return store.findLike(principal.id(), name, cut)
                .orElseGet(() -> issue(shown.kind(), principal, name, cut, access));
    }

    private UUID issue(TokenKind shown, Principal principal, String name, Token.Restrictions cut, Access access) {
        TokenKind kind = shown == TokenKind.SESSION ? TokenKind.USER : shown;
        UUID id = ids.nextUuid();
        boolean isStored = store.insert(
                new TokenStore.NewToken(
                        id,
                        kind,
                        name,
                        Optional.of(principal.id()),
                        cut,
                        access.name(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                TokenHash.of(TokenText.make(kind, random)));
        if (!isStored) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY,
                    "There are " + TokenStore.TOKENS_MAX + " tokens of " + principal.actorName()
                            + " that work, as many as there may be: revoke some first.");
        }
        return id;
    }

    private static MillraceException noPrincipal(Access access) {
        return new MillraceException(
                ErrorCode.NO_PRINCIPAL,
                access.name() + " is neither a user nor a service account, so nothing can act for it.");
    }
}
