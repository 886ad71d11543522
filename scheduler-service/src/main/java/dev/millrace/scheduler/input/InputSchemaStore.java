package dev.millrace.scheduler.input;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/** Schemas of the versions of scripts, each read or written in a transaction of its own. */
final class InputSchemaStore {
    private final Database database;

    InputSchemaStore(Database database) {
        this.database = database;
    }

    Optional<InputSchema> find(Workspace workspace, String hash) {
        return database.run(dsl -> InputSchemaRows.find(dsl, workspace, hash));
    }

    /** Keeps what a worker has read, unless there is a schema. Returns whether it was kept. */
    boolean keep(Workspace workspace, String hash, Json read) {
        return database.run(
                dsl -> InputSchemaRows.keep(dsl, workspace, hash, new InputSchema(read, InputSchema.Origin.SIGNATURE)));
    }
}
