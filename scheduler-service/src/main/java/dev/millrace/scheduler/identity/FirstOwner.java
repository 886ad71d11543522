package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.LocalCallers;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.identity.core.TokenText;
import dev.millrace.scheduler.queue.core.IdSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the first owner of an installation that wants tokens and has nobody yet who could get one. Its token goes to
 * a file that only the present user may read.
 */
public final class FirstOwner {
    private static final Logger log = LoggerFactory.getLogger(FirstOwner.class);
    private static final Subject OWNER = new Subject(Subject.Kind.USER, "owner");
    private static final String BY = "the first start";

    private FirstOwner() {}

    /**
     * Creates the owner if there is no principal and callers on the own machine are not trusted.
     *
     * @param random unpredictable, because the token comes from it
     */
    public static void ensure(SchedulerConfig config, Database database, IdSource ids, RandomGenerator random) {
        if (LocalCallers.areTrusted(config.grpc().host(), config.access().isTokenRequired())) {
            return;
        }
        Path file = config.access().ownerTokenFile().toAbsolutePath();
        boolean isCreated = database.transaction(dsl -> {
            RoleStore.lockOwners(dsl);
            if (PrincipalStore.hasAny(dsl)) {
                return false;
            }
            TokenText token = TokenText.make(TokenKind.USER, random);
            UUID owner = ids.nextUuid();
            PrincipalStore.insert(dsl, owner, OWNER, Optional.empty());
            RoleStore.grant(dsl, RoleBinding.ofOwner(OWNER), BY);
            TokenStore.insert(
                    dsl,
                    new TokenStore.NewToken(
                            ids.nextUuid(),
                            TokenKind.USER,
                            "first owner",
                            Optional.of(owner),
                            Token.Restrictions.NONE,
                            BY,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty()),
                    TokenHash.of(token));
            // Before the commit: a token that nobody can read would be worse than a file whose token does not work.
            write(file, token.text());
            return true;
        });
        if (isCreated) {
            log.atInfo()
                    .addKeyValue("file", file)
                    .log("This installation had no users: the file holds the token of its first owner");
        }
    }

    private static void write(Path file, String token) {
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, token + "\n");
        } catch (IOException unwritable) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    "The token of the first owner cannot be written to " + file
                            + ": set millrace.access.owner-token-file to a file in a folder that this user may write.",
                    unwritable);
        }
    }
}
