package dev.millrace.gateway.run.feed;

import dev.millrace.gateway.rpc.Caller;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import io.grpc.ClientCall;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The feeds of runs, one for each workspace and caller, however many tabs the caller has open. The scheduler ends a feed
 * when the rights of its caller change. Thread-safe.
 */
public final class RunFeeds {

    private final Scheduler scheduler;
    private final Map<RunFeed.Key, RunFeed> feeds = new ConcurrentHashMap<>();

    public RunFeeds(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Follows the runs of a workspace, as a call of the reader's own would.
     *
     * @param lastPosition position of the last change that the reader has; empty for from now on
     * @param listener receives the changes that the filter wants, or a gap if some are missing
     */
    public ClientCall<?, FollowRunsResponse> follow(
            String workspace,
            Caller caller,
            RunFilter filter,
            String lastPosition,
            ClientCall.Listener<FollowRunsResponse> listener) {
        var key = new RunFeed.Key(workspace, caller);
        while (true) {
            var feed = feeds.computeIfAbsent(key, this::create);
            var branch = new Branch(feed, filter, lastPosition, listener);
            if (feed.join(branch)) {
                return branch;
            }
            feeds.remove(key, feed);
        }
    }

    private RunFeed create(RunFeed.Key key) {
        return new RunFeed(key, scheduler, ended -> feeds.remove(key, ended));
    }
}
