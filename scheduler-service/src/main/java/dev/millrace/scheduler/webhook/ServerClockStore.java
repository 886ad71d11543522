package dev.millrace.scheduler.webhook;

import dev.millrace.scheduler.database.Database;
import java.time.Instant;
import java.time.OffsetDateTime;

/** The clock of the database, which decides whether a signed time is recent. */
final class ServerClockStore {
    private final Database database;

    ServerClockStore(Database database) {
        this.database = database;
    }

    Instant now() {
        return database.run(dsl -> dsl.fetchSingle("select clock_timestamp()").into(OffsetDateTime.class))
                .toInstant();
    }
}
