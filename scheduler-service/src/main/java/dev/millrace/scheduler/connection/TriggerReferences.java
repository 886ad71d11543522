package dev.millrace.scheduler.connection;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Folder;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.resource.core.ResourceValue;
import dev.millrace.scheduler.secret.Secrets;
import dev.millrace.scheduler.secret.core.SecretValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Secrets and resources to which triggers refer. A trigger uses what lies in its own folder, in no folder, or in a folder
 * in which its author is a developer, as resources do. Blocking and thread-safe.
 */
public final class TriggerReferences {
    private final Secrets secrets;
    private final Resources resources;

    public TriggerReferences(Secrets secrets, Resources resources) {
        this.secrets = secrets;
        this.resources = resources;
    }

    /**
     * Fails unless the author of a trigger may use a secret, and the secret has a value.
     *
     * @param field of the request, for the message
     * @param trigger path of the trigger
     */
    public void requireSecret(String field, String path, Workspace workspace, String trigger, Access by) {
        require(field, "secret", path, workspace, trigger, by);
        var _ = secrets.value(workspace, path);
    }

    /** Fails unless the author of a trigger may use a resource, and there is one. */
    public void requireResource(String field, String path, Workspace workspace, String trigger, Access by) {
        require(field, "resource", path, workspace, trigger, by);
        var _ = resources.value(workspace, path);
    }

    private static void require(
            String field, String kind, String path, Workspace workspace, String trigger, Access by) {
        if (!ReferencePath.isValid(path)) {
            throw MillraceException.invalid(field, "\"" + path + "\" (expected: " + ReferencePath.EXPECTED + ")");
        }
        String folder = Folder.of(path);
        boolean isOpen = folder.equals(Folder.NONE) || folder.equals(Folder.of(trigger));
        if (!isOpen && !by.allows(Role.DEVELOPER, workspace, path)) {
            throw new MillraceException(
                    ErrorCode.PERMISSION_DENIED,
                    "The trigger " + trigger + " refers to the " + kind + " " + path + ", and " + by.name()
                            + " has not the role developer in folder " + folder + " of workspace " + workspace
                            + ": ask an admin of the workspace for it, or use a " + kind
                            + " of the trigger's own folder.");
        }
    }

    /** The values of secrets in the order of their paths. Fails like {@link Secrets#resolve}. */
    public List<String> secrets(Workspace workspace, List<String> paths) {
        Map<String, SecretValue> values = secrets.resolve(workspace, paths);
        return paths.stream()
                .map(path -> {
                    SecretValue value = values.get(path);
                    if (value == null) {
                        throw new IllegalStateException("a secret was resolved that has no value: " + path);
                    }
                    return value.text();
                })
                .toList();
    }

    /**
     * The members of a resource as texts, with the secrets in place of their references.
     *
     * @throws MillraceException with {@link ErrorCode#SECRET_UNAVAILABLE} if there is no such resource or secret, or if the
     *     resource is no object of texts, numbers and truth values
     */
    public Map<String, String> settings(Workspace workspace, String path) {
        ResourceValue found = resources.resolve(workspace, List.of(path)).get(path);
        if (found == null) {
            throw new IllegalStateException("a resource was resolved that has no value: " + path);
        }
        Map<String, SecretValue> values = secrets.resolve(workspace, found.secrets());
        JsonValue resolved = found.resolve(secret -> {
            SecretValue value = values.get(secret);
            return value == null ? "" : value.text();
        });
        if (resolved.kind() != JsonValue.Kind.OBJECT) {
            throw unusable(path, workspace);
        }
        Map<String, String> settings = new HashMap<>();
        resolved.members()
                .forEach((name, value) -> settings.put(
                        name,
                        switch (value.kind()) {
                            case STRING -> value.string();
                            case NUMBER, BOOLEAN -> value.toString();
                            case OBJECT, ARRAY, NULL -> throw unusable(path, workspace);
                        }));
        return settings;
    }

    private static MillraceException unusable(String path, Workspace workspace) {
        return new MillraceException(
                ErrorCode.SECRET_UNAVAILABLE,
                "The resource " + path + " in workspace " + workspace
                        + " is no object of texts, numbers and truth values, so that nothing can be connected with it.");
    }
}
