package dev.millrace.gateway.run.feed;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import java.util.Comparator;

/**
 * Decides which changes a list shows. It agrees with the scheduler on what a list contains.
 *
 * @param list the list, without conditions on payloads
 */
public record RunFilter(ListRunsRequest list) {

    private static final Comparator<Timestamp> IN_TIME =
            Comparator.comparingLong(Timestamp::getSeconds).thenComparingInt(Timestamp::getNanos);

    /** Whether the list may contain the run in one of its states, or whether the message has no run. */
    boolean concerns(FollowRunsResponse change) {
        if (!change.hasRun()) {
            return true;
        }
        var run = change.getRun();
        return (list.getName().isEmpty() || list.getName().equals(run.getName()))
                && isOfKind(change.getPreparation())
                && (!list.hasCreatedFrom() || isBefore(list.getCreatedFrom(), run.getCreateTime(), true))
                && (!list.hasCreatedBefore() || isBefore(run.getCreateTime(), list.getCreatedBefore(), false));
    }

    /** Whether the list contains the run in its present state. */
    public boolean contains(Run run) {
        return list.getStatesCount() == 0 || list.getStatesList().contains(run.getState());
    }

    private boolean isOfKind(boolean preparation) {
        return switch (list.getKind()) {
            case KIND_UNSPECIFIED -> !list.getName().isEmpty() || !preparation;
            case KIND_WORK -> !preparation;
            case KIND_PREPARATION -> preparation;
            case KIND_ALL, UNRECOGNIZED -> true;
        };
    }

    private static boolean isBefore(Timestamp first, Timestamp second, boolean orEqual) {
        int order = IN_TIME.compare(first, second);
        return order < 0 || (orEqual && order == 0);
    }
}
