package dev.millrace.gateway.run.feed;

import dev.millrace.proto.event.v1.FollowRunsResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The last changes of a feed, up to a number and a size, for readers who come back. Not thread-safe. */
final class Recent {

    private final int changesMax;
    private final int bytesMax;
    private final Deque<FollowRunsResponse> changes = new ArrayDeque<>();
    private int bytes;

    Recent(int changesMax, int bytesMax) {
        this.changesMax = changesMax;
        this.bytesMax = bytesMax;
    }

    void add(FollowRunsResponse change) {
        changes.add(change);
        bytes += change.getSerializedSize();
        while (changes.size() > changesMax || bytes > bytesMax) {
            bytes -= changes.remove().getSerializedSize();
        }
    }

    /**
     * The changes after a position; empty if some of them may have been dropped. Several changes in a row can have the same
     * position, and a reader who has it may lack all but the first.
     */
    Optional<List<FollowRunsResponse>> after(String position) {
        List<FollowRunsResponse> after = new ArrayList<>();
        boolean isFound = false;
        for (var change : changes) {
            if (isFound) {
                after.add(change);
            }
            isFound |= change.getPosition().equals(position);
        }
        return isFound ? Optional.of(after) : Optional.empty();
    }

    /** Position of the newest change; empty before the first. */
    String position() {
        var last = changes.peekLast();
        return last == null ? "" : last.getPosition();
    }
}
