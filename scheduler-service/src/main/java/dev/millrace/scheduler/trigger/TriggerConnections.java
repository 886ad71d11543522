package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.resource.core.ResourceValue;
import dev.millrace.scheduler.secret.Secrets;
import dev.millrace.scheduler.secret.core.SecretValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Resources that say how triggers reach other programs. A trigger uses those of its own folder, of no folder, and of folders
 * in which its author is a developer. Which secrets a resource may name was decided when it was written. Blocking and
 * thread-safe.
 */
public final class TriggerConnections {
    private final Secrets secrets;
    private final Resources resources;

    public TriggerConnections(Secrets secrets, Resources resources) {
        this.secrets = secrets;
        this.resources = resources;
    }

    /**
     * Fails unless the author of a trigger may use a resource, and there is one.
     *
     * @param field of the request, for the message
     * @param trigger path of the trigger
     */
    public void require(String field, String path, Workspace workspace, String trigger, Access by) {
        TriggerSecrets.requireOpen(field, "resource", path, workspace, trigger, by);
        var _ = resources.value(workspace, path);
    }

    /** Fails unless there is such a resource. */
    public void require(Workspace workspace, String path) {
        var _ = resources.value(workspace, path);
    }

    /**
     * The members of a resource as texts, with the secrets in place of their references.
     *
     * @throws MillraceException with {@link ErrorCode#SECRET_UNAVAILABLE} if there is no such resource or secret, or if the
     *     resource is no object of texts, numbers and truth values
     */
    public Map<String, String> settings(Workspace workspace, String path) {
        ResourceValue found = Objects.requireNonNull(
                resources.resolve(workspace, List.of(path)).get(path), path);
        Map<String, SecretValue> values = secrets.resolve(workspace, found.secrets());
        JsonValue resolved = found.resolve(
                secret -> Objects.requireNonNull(values.get(secret), secret).text());
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
                        + " is no object of texts, numbers and truth values, so it does not say how to connect.");
    }
}
