package dev.millrace.scheduler.input;

import static dev.millrace.scheduler.database.tables.Tables.SCRIPT_VERSION;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;

/** Schemas of the versions of scripts in Postgres. All methods run inside the caller's transaction. */
public final class InputSchemaRows {
    private InputSchemaRows() {}

    /**
     * Keeps what is known at a deployment: the schema of the author or of the text, or that there is neither. What a
     * worker has read stays in the latter case.
     */
    public static void deploy(DSLContext dsl, Workspace workspace, String hash, Optional<InputSchema> known) {
        if (known.isPresent()) {
            dsl.update(SCRIPT_VERSION)
                    .set(SCRIPT_VERSION.INPUT_SCHEMA, known.get().schema().text())
                    .set(
                            SCRIPT_VERSION.INPUT_SCHEMA_ORIGIN,
                            known.get().origin().code())
                    .where(is(workspace, hash))
                    .execute();
        } else {
            dsl.update(SCRIPT_VERSION)
                    .setNull(SCRIPT_VERSION.INPUT_SCHEMA)
                    .setNull(SCRIPT_VERSION.INPUT_SCHEMA_ORIGIN)
                    .where(is(workspace, hash))
                    .and(SCRIPT_VERSION.INPUT_SCHEMA_ORIGIN.eq(InputSchema.Origin.AUTHOR.code()))
                    .execute();
        }
    }

    /** Keeps what a worker or the scheduler has read, unless there is a schema. Returns whether it was kept. */
    public static boolean keep(DSLContext dsl, Workspace workspace, String hash, InputSchema read) {
        return dsl.update(SCRIPT_VERSION)
                        .set(SCRIPT_VERSION.INPUT_SCHEMA, read.schema().text())
                        .set(SCRIPT_VERSION.INPUT_SCHEMA_ORIGIN, read.origin().code())
                        .where(is(workspace, hash))
                        .and(SCRIPT_VERSION.INPUT_SCHEMA.isNull())
                        .execute()
                == 1;
    }

    static Optional<InputSchema> find(DSLContext dsl, Workspace workspace, String hash) {
        return dsl.select(SCRIPT_VERSION.INPUT_SCHEMA, SCRIPT_VERSION.INPUT_SCHEMA_ORIGIN)
                .from(SCRIPT_VERSION)
                .where(is(workspace, hash))
                .and(SCRIPT_VERSION.INPUT_SCHEMA.isNotNull())
                .fetchOptional(row -> new InputSchema(
                        new Json(row.get(SCRIPT_VERSION.INPUT_SCHEMA)),
                        InputSchema.Origin.of(row.get(SCRIPT_VERSION.INPUT_SCHEMA_ORIGIN))));
    }

    private static Condition is(Workspace workspace, String hash) {
        return SCRIPT_VERSION.WORKSPACE.eq(workspace.name()).and(SCRIPT_VERSION.HASH.eq(hash));
    }
}
