package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Folder;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.Secrets;
import dev.millrace.scheduler.secret.core.SecretValue;
import java.util.List;
import java.util.Map;

/**
 * Secrets to which triggers refer. A trigger uses those of its own folder, of no folder, and of folders in which its author
 * is a developer, as resources do. Blocking and thread-safe.
 */
public final class TriggerSecrets {
    private final Secrets secrets;

    public TriggerSecrets(Secrets secrets) {
        this.secrets = secrets;
    }

    /**
     * Fails unless the author of a trigger may use a secret, and the secret has a value.
     *
     * @param field of the request, for the message
     * @param trigger path of the trigger
     */
    public void require(String field, String path, Workspace workspace, String trigger, Access by) {
        requireOpen(field, "secret", path, workspace, trigger, by);
        var _ = secrets.value(workspace, path);
    }

    /** Fails unless the author of a trigger may use the secret or resource with this path. */
    static void requireOpen(String field, String kind, String path, Workspace workspace, String trigger, Access by) {
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
    public List<String> values(Workspace workspace, List<String> paths) {
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
}
