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
    /** Most logins in progress, so that strangers cannot fill the table. */
    private static final int ATTEMPTS_MAX = 10_000;

    private static final String INSERT = """
            insert into login_attempt (hash, state_hash, nonce, code_verifier, redirect_uri, return_to, expires_at)
            select ?, ?, ?, ?, ?, ?, now() + ? * interval '1 millisecond'
            where (select count(*) from login_attempt where expires_at > now()) < ?
            returning expires_at
            """;
    private static final String TAKE = """
            delete from login_attempt where hash = ? and state_hash = ?
            returning nonce, code_verifier, redirect_uri, return_to, expires_at > now() as is_valid
            """;

    private final Database database;

    LoginAttemptStore(Database database) {
        this.database = database;
    }

    /** Stores an attempt and returns its end; empty if there are too many. */
    Optional<Instant> insert(byte[] hash, byte[] stateHash, LoginAttempt attempt, Duration validFor) {
        return database.run(dsl -> dsl
                .fetch(
                        INSERT,
                        hash,
                        stateHash,
                        attempt.nonce().getValue(),
                        attempt.verifier().getValue(),
                        attempt.redirectUri().toString(),
                        attempt.returnTo(),
                        validFor.toMillis(),
                        ATTEMPTS_MAX)
                .stream()
                .map(row -> row.get("expires_at", OffsetDateTime.class).toInstant())
                .findFirst());
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
