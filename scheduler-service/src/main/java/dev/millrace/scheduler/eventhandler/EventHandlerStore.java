package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Handlers in Postgres. */
final class EventHandlerStore {
    private static final String LOCK =
            "select pg_advisory_xact_lock(hashtextextended('millrace event handlers ' || ?, 0))";
    private static final String COUNTS = """
            select count(*)::int as all_of_workspace, (count(*) filter (where event = ?))::int as of_event
            from event_handler where workspace = ? and path <> ?
            """;
    private static final String PUT = """
            insert into event_handler (id, workspace, path, event, active, definition, actor, credential_id)
            values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (workspace, path) do update
            set event = excluded.event, active = excluded.active, definition = excluded.definition, actor = excluded.actor,
                credential_id = excluded.credential_id, version = event_handler.version + 1, changed_at = now()
            returning *
            """;
    private static final String FIND = "select * from event_handler where workspace = ? and path = ?";
    private static final String OF_ID = "select * from event_handler where id = ?";
    private static final String LIST = """
            select * from event_handler
            where workspace = ? and path > ? and (?::text is null or event = ?)
                and (?::text[] is null or split_part(path, '/', 1) = any (?::text[]) and path like '%/%')
            order by path limit ?
            """;
    private static final String DELETE = "delete from event_handler where workspace = ? and path = ? returning *";
    private static final String DELETE_HISTORY = "delete from event_execution where handler_id = ?";

    private final Database database;

    EventHandlerStore(Database database) {
        this.database = database;
    }

    /** Why a handler was not stored. */
    enum Full {
        WORKSPACE,
        EVENT
    }

    /** A stored handler, or why it was not stored. */
    record Put(Optional<EventHandler> handler, Optional<Full> full) {}

    /** Creates or changes a handler. */
    Put put(
            UUID id,
            Workspace workspace,
            String path,
            HandlerDefinition definition,
            String actor,
            Optional<UUID> credential,
            int max,
            int ofEventMax) {
        return database.transaction(dsl -> {
            dsl.fetch(LOCK, workspace.name());
            Record counts = dsl.fetchSingle(COUNTS, definition.event(), workspace.name(), path);
            if (counts.get("all_of_workspace", Integer.class) >= max) {
                return new Put(Optional.empty(), Optional.of(Full.WORKSPACE));
            }
            if (counts.get("of_event", Integer.class) >= ofEventMax) {
                return new Put(Optional.empty(), Optional.of(Full.EVENT));
            }
            Record row = dsl.fetchSingle(
                    PUT,
                    id,
                    workspace.name(),
                    path,
                    definition.event(),
                    definition.isActive(),
                    definition.text().text(),
                    actor,
                    credential.orElse(null));
            return new Put(Optional.of(read(row)), Optional.empty());
        });
    }

    Optional<EventHandler> find(Workspace workspace, String path) {
        return database.run(dsl ->
                dsl.fetch(FIND, workspace.name(), path).stream().findFirst().map(EventHandlerStore::read));
    }

    Optional<EventHandler> find(UUID id) {
        return database.run(dsl -> dsl.fetch(OF_ID, id).stream().findFirst().map(EventHandlerStore::read));
    }

    /**
     * Handlers in the order of their paths.
     *
     * @param event only handlers of this event; absent for all
     */
    List<EventHandler> list(
            Workspace workspace, Optional<Set<String>> folders, Optional<String> event, String after, int limit) {
        String @Nullable [] some =
                folders.map(visible -> visible.toArray(String[]::new)).orElse(null);
        @Nullable String only = event.orElse(null);
        return database.run(dsl -> dsl.fetch(LIST, workspace.name(), after, only, only, some, some, limit)
                .map(EventHandlerStore::read));
    }

    /** Deletes a handler with its history; empty if there is none. */
    Optional<EventHandler> delete(Workspace workspace, String path) {
        return database.transaction(dsl -> {
            Optional<EventHandler> deleted = dsl.fetch(DELETE, workspace.name(), path).stream()
                    .findFirst()
                    .map(EventHandlerStore::read);
            deleted.ifPresent(handler -> dsl.execute(DELETE_HISTORY, handler.id()));
            return deleted;
        });
    }

    static EventHandler read(Record row) {
        return new EventHandler(
                row.get("id", UUID.class),
                Workspace.of(row.get("workspace", String.class)),
                row.get("path", String.class),
                HandlerDefinition.stored(row.get("definition", String.class)),
                row.get("actor", String.class),
                Optional.ofNullable(row.get("credential_id", UUID.class)),
                row.get("version", Long.class),
                row.get("changed_at", OffsetDateTime.class).toInstant());
    }
}
