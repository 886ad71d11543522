package dev.millrace.scheduler.resource;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.version.ReferenceUseRows;
import dev.millrace.scheduler.version.ReferenceUsers;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;

/** Resources and their types in Postgres. */
final class ResourceStore {
    private static final String PUT = """
            insert into resource (workspace, path, type, value, secrets, description, updated_by)
            values (?, ?, ?, ?::json, ?::text[], ?, ?)
            on conflict (workspace, path) do update
            set type = excluded.type, value = excluded.value, secrets = excluded.secrets,
                description = excluded.description, updated_by = excluded.updated_by, updated_at = now()
            """;
    private static final String COUNT = "select count(*) from resource where workspace = ? and path <> ?";
    private static final String FIND = """
            select path, type, value::text as value, description, updated_by, updated_at from resource
            where workspace = ? and path = ?
            """;
    /** Without the values, because a page of them would be as large as 64 MB. */
    private static final String LIST =
            "select path, type, null as value, description, updated_by, updated_at from resource where workspace = ?"
                    + " and path > ? and (?::text[] is null or split_part(path, '/', 1) = any (?::text[]) and path like '%/%')"
                    + " order by path limit ?";

    private static final String VALUES =
            "select path, value::text as value from resource where workspace = ? and path = any (?::text[])";
    private static final String DELETE = "delete from resource where workspace = ? and path = ?";
    private static final String LOCK = "select 1 from resource where workspace = ? and path = ? for update";
    private static final String PUT_TYPE = """
            insert into resource_type (workspace, name, schema, description) values (?, ?, ?::json, ?)
            on conflict (workspace, name) do update set schema = excluded.schema, description = excluded.description
            """;
    private static final String OTHER_TYPES = """
            select count(*), coalesce(sum(octet_length(schema::text) + octet_length(description)), 0)
            from resource_type where workspace = ? and name <> ?
            """;
    private static final String SELECT_TYPES =
            "select name, schema::text as schema, description from resource_type where workspace = ?";

    private static final String TYPE_USERS =
            "select path from resource where workspace = ? and type = ? order by path limit ?";
    private static final String DELETE_TYPE = "delete from resource_type where workspace = ? and name = ?";
    private static final String LOCK_TYPE =
            "select 1 from resource_type where workspace = ? and name = ? for key share";

    /** Maximum number of resources that the refusal to delete their type names. */
    static final int USERS_NAMED_MAX = 10;

    private final Database database;

    ResourceStore(Database database) {
        this.database = database;
    }

    /**
     * Writes a resource. Returns it as stored; empty if the workspace has {@code max} others. Fails if its type has been
     * deleted.
     */
    Optional<Resource> put(
            Workspace workspace,
            String path,
            String type,
            Json value,
            Set<String> secrets,
            String description,
            String by,
            int max) {
        return database.transaction(dsl -> {
            if (!type.isEmpty() && dsl.fetch(LOCK_TYPE, workspace.name(), type).isEmpty()) {
                throw Resources.typeNotFound(workspace, type);
            }
            if (dsl.fetchSingle(COUNT, workspace.name(), path).into(long.class) >= max) {
                return Optional.empty();
            }
            dsl.execute(
                    PUT, workspace.name(), path, type, value.text(), secrets.toArray(String[]::new), description, by);
            return find(dsl, workspace, path);
        });
    }

    Optional<Resource> find(Workspace workspace, String path) {
        return database.run(dsl -> find(dsl, workspace, path));
    }

    private static Optional<Resource> find(DSLContext dsl, Workspace workspace, String path) {
        return read(dsl, workspace, dsl.fetch(FIND, workspace.name(), path)).stream()
                .findFirst();
    }

    /** Resources in the order of their paths, without their values. */
    List<Resource> list(Workspace workspace, Optional<Set<String>> folders, String after, int limit) {
        String @Nullable [] some =
                folders.map(set -> set.toArray(String[]::new)).orElse(null);
        return database.run(dsl -> read(dsl, workspace, dsl.fetch(LIST, workspace.name(), after, some, some, limit)));
    }

    /** The values of these paths; without paths that are no resources. */
    Map<String, Json> values(Workspace workspace, Collection<String> paths) {
        Map<String, Json> values = new HashMap<>();
        database.run(dsl -> dsl.fetch(VALUES, workspace.name(), paths.toArray(String[]::new)))
                .forEach(row -> values.put(row.get("path", String.class), new Json(row.get("value", String.class))));
        return values;
    }

    /**
     * Deletes a resource.
     *
     * @param force deletes it even if something refers to it
     * @return the resource, which is still there if it is used and {@code force} is false; empty if there is none
     */
    Optional<Resource> delete(Workspace workspace, String path, boolean force) {
        return database.transaction(dsl -> {
            dsl.fetch(LOCK, workspace.name(), path);
            Optional<Resource> found = find(dsl, workspace, path);
            if (found.isPresent() && (force || found.get().users().isEmpty())) {
                dsl.execute(DELETE, workspace.name(), path);
            }
            return found;
        });
    }

    private static List<Resource> read(DSLContext dsl, Workspace workspace, Result<Record> rows) {
        List<String> paths = rows.map(row -> row.get("path", String.class));
        Map<String, ReferenceUsers> users = ReferenceUseRows.users(dsl, workspace, ReferenceKind.RESOURCE, paths);
        return rows.map(row -> {
            String path = row.get("path", String.class);
            return new Resource(
                    path,
                    row.get("type", String.class),
                    Optional.ofNullable(row.get("value", String.class)).map(Json::new),
                    row.get("description", String.class),
                    row.get("updated_by", String.class),
                    row.get("updated_at", OffsetDateTime.class).toInstant(),
                    users.getOrDefault(path, ReferenceUsers.NONE));
        });
    }

    /** What came of writing a type. */
    enum TypePut {
        DONE,
        /** The workspace has as many others as it may have. */
        TOO_MANY,
        /** The types of the workspace would be too large together. */
        TOO_LARGE
    }

    /**
     * Writes a type, unless the workspace has {@code max} others.
     *
     * @param bytesMax maximum size of all schemas and descriptions of the workspace
     */
    TypePut putType(Workspace workspace, ResourceType type, int max, long bytesMax) {
        return database.transaction(dsl -> {
            Record others = dsl.fetchSingle(OTHER_TYPES, workspace.name(), type.name());
            if (others.get(0, Long.class) >= max) {
                return TypePut.TOO_MANY;
            }
            long own = bytes(type.schema().text()) + bytes(type.description());
            if (others.get(1, Long.class) + own > bytesMax) {
                return TypePut.TOO_LARGE;
            }
            dsl.execute(PUT_TYPE, workspace.name(), type.name(), type.schema().text(), type.description());
            return TypePut.DONE;
        });
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    Optional<ResourceType> findType(Workspace workspace, String name) {
        return database.run(dsl -> dsl.fetch(SELECT_TYPES + " and name = ?", workspace.name(), name).stream()
                .map(ResourceStore::type)
                .findFirst());
    }

    /**
     * A deleted type, or one that stays because it is used.
     *
     * @param usedBy paths of resources that have the type, {@link #USERS_NAMED_MAX} at most; empty if it is gone
     */
    record TypeDeletion(ResourceType type, List<String> usedBy) {
        TypeDeletion {
            usedBy = List.copyOf(usedBy);
        }
    }

    /**
     * Deletes a type that no resource has; empty if there is no such type. Writers of resources lock the type, so none
     * gets it meanwhile.
     */
    Optional<TypeDeletion> deleteType(Workspace workspace, String name) {
        return database.transaction(dsl ->
                dsl.fetch(SELECT_TYPES + " and name = ? for update", workspace.name(), name).stream()
                        .map(ResourceStore::type)
                        .findFirst()
                        .map(type -> {
                            List<String> users = dsl.fetch(TYPE_USERS, workspace.name(), name, USERS_NAMED_MAX)
                                    .map(row -> row.get("path", String.class));
                            if (users.isEmpty()) {
                                dsl.execute(DELETE_TYPE, workspace.name(), name);
                            }
                            return new TypeDeletion(type, users);
                        }));
    }

    /** All types in the order of their names. */
    List<ResourceType> types(Workspace workspace) {
        return database.run(dsl ->
                dsl.fetch(SELECT_TYPES + " order by name", workspace.name()).map(ResourceStore::type));
    }

    private static ResourceType type(Record row) {
        return new ResourceType(
                row.get("name", String.class),
                new Json(row.get("schema", String.class)),
                row.get("description", String.class));
    }
}
