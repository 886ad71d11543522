package dev.millrace.scheduler.resource;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.resource.core.ResourceValue;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import dev.millrace.scheduler.schema.SchemaProblem;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Writes, reads and deletes resources and their types, and resolves them for jobs. Blocking and thread-safe. */
public final class Resources {
    /** Maximum number of resources of a workspace. */
    private static final int RESOURCES_MAX = 10_000;
    /** Maximum number of types of a workspace. */
    private static final int TYPES_MAX = 1_000;
    /** Maximum size of all types of a workspace, because one response lists them all. */
    private static final long TYPES_BYTES_MAX = 2 << 20;

    private final ResourceStore store;

    public Resources(Database database) {
        this.store = new ResourceStore(database);
    }

    /**
     * Writes a resource. Its value may refer to secrets of its own folder, of no folder, and of folders in which the
     * caller is a developer.
     *
     * @param type name of its type; empty for none
     */
    Resource put(Workspace workspace, String path, String type, Json value, String description, Access by) {
        ResourceValue read = switch (ResourceValue.read(JsonValue.of(value))) {
            case ResourceValue.Reading.Read(ResourceValue readable) -> readable;
            case ResourceValue.Reading.Unreadable(String message) -> throw MillraceException.invalid("value", message);
        };
        requireSecrets(workspace, path, read, by);
        if (!type.isEmpty()) {
            requireType(workspace, type, value);
        }
        return store.put(workspace, path, type, value, read.secrets(), description, by.name(), RESOURCES_MAX)
                .orElseThrow(() -> full(workspace, RESOURCES_MAX, "resources"));
    }

    /**
     * Writes the value of a resource, whose description stays.
     *
     * @param type name of its type; empty for the one that it has
     */
    public void rewrite(Workspace workspace, String path, String type, Json value, Access by) {
        Optional<Resource> before = store.find(workspace, path);
        String kept = before.map(Resource::type).orElse("");
        String description = before.map(Resource::description).orElse("");
        put(workspace, path, type.isEmpty() ? kept : type, value, description, by);
    }

    private static void requireSecrets(Workspace workspace, String path, ResourceValue value, Access by) {
        for (String secret : value.secrets()) {
            String folder = Folder.of(secret);
            if (!folder.equals(Folder.NONE)
                    && !folder.equals(Folder.of(path))
                    && !by.allows(Role.DEVELOPER, workspace, secret)) {
                throw new MillraceException(
                        ErrorCode.PERMISSION_DENIED,
                        "The resource " + path + " refers to the secret " + secret + ", and " + by.name()
                                + " has not the role developer in folder " + folder + " of workspace " + workspace
                                + ": ask an admin of the workspace for it, or use a secret of the resource's own folder.");
            }
        }
    }

    private void requireType(Workspace workspace, String name, Json value) {
        ResourceType type = store.findType(workspace, name).orElseThrow(() -> typeNotFound(workspace, name));
        try {
            List<FieldViolation> violations = JsonSchemas.compileAgain(type.schema()).check(value).stream()
                    .map(problem -> new FieldViolation("value" + problem.pointer(), sentence(problem)))
                    .toList();
            if (!violations.isEmpty()) {
                throw MillraceException.invalid(violations);
            }
        } catch (SchemaInvalid invalid) {
            throw new IllegalStateException("the schema of " + name + " was valid when it was stored", invalid);
        }
    }

    private static String sentence(SchemaProblem problem) {
        return (problem.path().isEmpty() ? "it " : problem.path() + " ") + problem.message();
    }

    Resource get(Workspace workspace, String path) {
        return store.find(workspace, path).orElseThrow(() -> notFound(workspace, path));
    }

    /** The value of a resource, with its references. Fails with {@link ErrorCode#RESOURCE_NOT_FOUND} if there is none. */
    public ResourceValue value(Workspace workspace, String path) {
        get(workspace, path);
        return Objects.requireNonNull(resolve(workspace, List.of(path)).get(path));
    }

    /** Lists the resources that the caller may see, without their values. */
    PageRequest.Page<Resource> list(Workspace workspace, Access access, PageRequest page) {
        return page.of(
                limit -> store.list(workspace, access.visibleFolders(workspace), page.after(), limit), Resource::path);
    }

    /** Deletes a resource. Fails with {@link ErrorCode#IN_USE} if something refers to it, unless forced. */
    Resource delete(Workspace workspace, String path, boolean force) {
        Resource found = store.delete(workspace, path, force).orElseThrow(() -> notFound(workspace, path));
        if (!found.users().isEmpty() && !force) {
            throw new MillraceException(
                    ErrorCode.IN_USE,
                    "The resource " + path + " is used by " + found.users().clause()
                            + ". Change those first, or delete it anyway with force: what needs it then fails.");
        }
        return found;
    }

    /** Writes a type. Resources that exist are not checked again. */
    ResourceType putType(Workspace workspace, ResourceType type) {
        try {
            JsonSchemas.compile(type.schema());
        } catch (SchemaInvalid invalid) {
            throw MillraceException.invalid("type.schema", invalid.problem() + " " + invalid.remedy());
        }
        return switch (store.putType(workspace, type, TYPES_MAX, TYPES_BYTES_MAX)) {
            case DONE -> type;
            case TOO_MANY -> throw full(workspace, TYPES_MAX, "resource types");
            case TOO_LARGE ->
                throw new MillraceException(
                        ErrorCode.TOO_MANY,
                        "The resource types of workspace " + workspace + " would have more than " + TYPES_BYTES_MAX
                                + " bytes together, as many as they may have: make their schemas smaller.");
        };
    }

    /** Deletes a type. Fails with {@link ErrorCode#IN_USE} if resources have it. */
    ResourceType deleteType(Workspace workspace, String name) {
        ResourceStore.TypeDeletion deletion =
                store.deleteType(workspace, name).orElseThrow(() -> typeNotFound(workspace, name));
        List<String> users = deletion.usedBy();
        if (!users.isEmpty()) {
            throw new MillraceException(
                    ErrorCode.IN_USE,
                    "The resource type " + name + " is the type of the resource" + (users.size() == 1 ? " " : "s ")
                            + String.join(", ", users)
                            + (users.size() == ResourceStore.USERS_NAMED_MAX ? ", and perhaps of others" : "")
                            + ". Delete them, or give them another type first.");
        }
        return deletion.type();
    }

    List<ResourceType> types(Workspace workspace) {
        return store.types(workspace);
    }

    /**
     * The values of resources, by path, with references to secrets in them. The caller must have found the paths in the
     * definition of a step.
     *
     * @throws MillraceException with {@link ErrorCode#SECRET_UNAVAILABLE} if one of them does not exist
     */
    public Map<String, ResourceValue> resolve(Workspace workspace, Collection<String> paths) {
        Map<String, ResourceValue> values = new HashMap<>();
        if (!paths.isEmpty()) {
            store.values(workspace, paths).forEach((path, json) -> {
                if (ResourceValue.read(JsonValue.of(json)) instanceof ResourceValue.Reading.Read(ResourceValue value)) {
                    values.put(path, value);
                }
            });
        }
        paths.stream().filter(path -> !values.containsKey(path)).findFirst().ifPresent(missing -> {
            throw new MillraceException(
                    ErrorCode.SECRET_UNAVAILABLE,
                    "There is no resource " + missing + " in workspace " + workspace + ": write it, then run the step"
                            + " again.");
        });
        return values;
    }

    private static MillraceException notFound(Workspace workspace, String path) {
        return new MillraceException(
                ErrorCode.RESOURCE_NOT_FOUND, "There is no resource " + path + " in workspace " + workspace + ".");
    }

    static MillraceException typeNotFound(Workspace workspace, String name) {
        return new MillraceException(
                ErrorCode.RESOURCE_TYPE_NOT_FOUND,
                "There is no resource type " + name + " in workspace " + workspace + ".");
    }

    private static MillraceException full(Workspace workspace, int max, String what) {
        return new MillraceException(
                ErrorCode.TOO_MANY,
                "Workspace " + workspace + " has " + max + " " + what + ", as many as it may have: delete some first.");
    }
}
