package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.database.Database;
import java.util.Optional;

/** Stores secrets that all schedulers of a database share. */
final class ServerSecretStore {
    private final Database database;

    ServerSecretStore(Database database) {
        this.database = database;
    }

    /** Returns the secret with a name, after storing {@code fresh} if there is none. */
    byte[] findOrKeep(String name, byte[] fresh) {
        return database.transaction(context -> {
            context.execute(
                    "insert into server_secret (name, value) values (?, ?) on conflict do nothing", name, fresh);
            return Optional.ofNullable(context.fetchOne("select value from server_secret where name = ?", name))
                    .map(row -> row.get(0, byte[].class))
                    .orElseThrow();
        });
    }
}
