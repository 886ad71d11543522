package dev.millrace.scheduler.identity;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import java.util.Optional;
import java.util.UUID;

/** What tokens give that were shown earlier, by their ids. Reads the database each time. Blocking and thread-safe. */
public final class IssuedTokens {
    private final TokenReader reader;

    public IssuedTokens(Database database) {
        this.reader = new TokenReader(database);
    }

    /** What the token gives now; empty if it was revoked or has expired, or if its principal is disabled. */
    public Optional<Access> find(UUID credential) {
        return reader.read(credential);
    }
}
