package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Revocations of signed links in Postgres. Links are not stored, so a revocation is a time: whatever was signed until
 * then is void. The database's clock gives both times.
 */
final class RevokedLinkStore {
    /** Name of a revocation that concerns everybody. */
    static final String EVERYBODY = "";

    private static final String REVOKE = """
            insert into wait_link_revocation (run_id, step_key, actor, revoked_at)
            select ?, ?, who, now() from unnest(?::text[]) as who order by who
            on conflict (run_id, step_key, actor) do update set revoked_at = excluded.revoked_at
            returning revoked_at
            """;
    private static final String IS_REVOKED = """
            select exists (
                select from wait_link_revocation
                where run_id = ? and step_key = ? and actor in (?, ?) and revoked_at >= ?::timestamptz)
            """;

    private final Database database;

    RevokedLinkStore(Database database) {
        this.database = database;
    }

    /** Revokes the links of these people; empty means everybody. Returns the time until which links are void. */
    Instant revoke(RunId run, String stepKey, List<String> actors) {
        String[] whose = actors.isEmpty() ? new String[] {EVERYBODY} : actors.toArray(String[]::new);
        return database.transaction(dsl -> dsl.fetch(REVOKE, run.value(), stepKey, whose)
                .getFirst()
                .get(0, OffsetDateTime.class)
                .toInstant());
    }

    boolean include(RunId run, LinkToken token) {
        return database.run(dsl -> Boolean.TRUE.equals(dsl.fetchValue(
                IS_REVOKED,
                run.value(),
                token.stepKey(),
                EVERYBODY,
                token.actor(),
                OffsetDateTime.ofInstant(token.signed().orElse(Instant.EPOCH), ZoneOffset.UTC))));
    }
}
