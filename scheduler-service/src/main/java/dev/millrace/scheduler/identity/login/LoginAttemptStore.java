package dev.millrace.scheduler.identity.login;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import dev.millrace.scheduler.database.Database;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.Record;

/** Logins that have begun, in Postgres. Each is taken once. */
final class LoginAttemptStore {
    private static final String INSERT = """
            insert into login_attempt (hash, state_hash, nonce, code_verifier, redirect_uri, return_to, site, expires_at)
            values (?, ?, ?, ?, ?, ?, ?, now() + ? * interval '1 millisecond')
            returning expires_at
            """;
    private static final String MAKE_ROOM = FairRows.makingRoomIn("login_attempt", "hash");

    private static final String TAKE = """
            delete from login_attempt where hash = ? and state_hash = ?
            returning nonce, code_verifier, redirect_uri, return_to, expires_at > now() as is_valid
            """;

    private final Database database;

    LoginAttemptStore(Database database) {
        this.database = database;
    }

    /**
     * Stores an attempt and returns its end.
     *
     * @param site from which it was begun
     */
    Instant insert(byte[] hash, byte[] stateHash, LoginAttempt attempt, String site, Duration validFor) {
        return database.transaction(dsl -> {
            Instant end = dsl.fetchSingle(
                            INSERT,
                            hash,
                            stateHash,
                            attempt.nonce().getValue(),
                            attempt.verifier().getValue(),
                            attempt.redirectUri().toString(),
                            attempt.returnTo(),
                            site,
                            validFor.toMillis())
                    .get("expires_at", OffsetDateTime.class)
                    .toInstant();
            dsl.execute(MAKE_ROOM, FairRows.ROWS_MAX);
            return end;
        });
    }

    /** Removes the attempt with this secret and this state; empty if there is none, or if it has expired. */
    Optional<LoginAttempt> take(byte[] hash, byte[] stateHash) {
        return database.run(dsl -> dsl.fetch(TAKE, hash, stateHash).stream()
                .filter(row -> row.get("is_valid", Boolean.class))
                .map(LoginAttemptStore::read)
                .findFirst());
    }

    private static LoginAttempt read(Record row) {
        return new LoginAttempt(
                new Nonce(row.get("nonce", String.class)),
                new CodeVerifier(row.get("code_verifier", String.class)),
                URI.create(row.get("redirect_uri", String.class)),
                row.get("return_to", String.class));
    }
}
