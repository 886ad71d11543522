package dev.millrace.scheduler.version;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.util.ArrayList;
import java.util.List;

/**
 * The users of a path: the first {@link #NAMED_MAX} of each kind, plus one if there are more.
 *
 * @param flows paths of deployed flows that name the path
 * @param runs ids of active runs of the path, or of flows that name it
 */
public record Users(List<String> flows, List<String> runs) {
    static final int NAMED_MAX = 5;

    public Users {
        flows = List.copyOf(flows);
        runs = List.copyOf(runs);
    }

    boolean isNobody() {
        return flows.isEmpty() && runs.isEmpty();
    }

    /** The error for a deletion that these users forbid. */
    MillraceException refusal(VersionKind kind, String path) {
        List<String> users = new ArrayList<>();
        if (!flows.isEmpty()) {
            users.add((flows.size() == 1 ? "the flow " : "the flows ") + named(flows));
        }
        if (!runs.isEmpty()) {
            users.add((runs.size() == 1 ? "the run in progress " : "the runs in progress ") + named(runs));
        }
        return new MillraceException(
                ErrorCode.IN_USE,
                "The " + kind.inWords() + " " + path + " is used by " + String.join(", and by ", users)
                        + ". Deploy those flows without it and let the runs end first, or delete it anyway with force:"
                        + " new runs are then refused, and runs in progress keep their versions.");
    }

    private static String named(List<String> names) {
        return names.size() > NAMED_MAX
                ? String.join(", ", names.subList(0, NAMED_MAX)) + " and more"
                : String.join(", ", names);
    }
}
