package dev.millrace.scheduler.trigger;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.Secrets;
import java.util.ArrayList;
import java.util.List;

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

    /**
     * Values of secrets.
     *
     * @param values of those that have one, in the order of their paths
     * @param problem why others have none, as sentences; empty if all have one
     */
    public record Known(List<String> values, String problem) {
        public Known {
            values = List.copyOf(values);
            requireNonNull(problem, "problem");
        }
    }

    /**
     * The values of those secrets that have one.
     *
     * @throws MillraceException with {@link ErrorCode#SECRET_STORE_UNAVAILABLE} if a store does not answer
     */
    public Known values(Workspace workspace, List<String> paths) {
        List<String> values = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String path : paths) {
            try {
                values.add(secrets.value(workspace, path).text());
            } catch (MillraceException unavailable) {
                switch (unavailable.code()) {
                    case SECRET_NOT_FOUND -> problems.add(TriggerProblems.missing(ReferenceKind.SECRET, path));
                    case SECRET_UNAVAILABLE -> problems.add(String.valueOf(unavailable.getMessage()));
                    default -> throw unavailable;
                }
            }
        }
        return new Known(values, String.join(" ", problems));
    }
}
