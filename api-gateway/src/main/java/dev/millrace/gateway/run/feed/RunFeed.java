package dev.millrace.gateway.run.feed;

import dev.millrace.gateway.rpc.Caller;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowRunsRequest;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a workspace as one caller may see them change: one call to the scheduler, and any number of readers.
 *
 * <p>The call begins with the first reader and ends with the last. A failure of the call ends all readers, who may come
 * back. Thread-safe by one lock, under which nothing blocks.
 */
final class RunFeed {

    private static final int RECENT_MAX = 512;
    private static final int RECENT_BYTES_MAX = 1 << 20;

    private final Key key;
    private final Scheduler scheduler;
    private final Consumer<RunFeed> onEnd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Branch> branches = new LinkedHashSet<>();
    private final Recent recent = new Recent(RECENT_MAX, RECENT_BYTES_MAX);
    private @Nullable Upstream upstream;
    private boolean hasEnded;

    /** What readers of a feed have in common. */
    record Key(String workspace, Caller caller) {}

    /** @param onEnd is called without the lock when the feed has ended */
    RunFeed(Key key, Scheduler scheduler, Consumer<RunFeed> onEnd) {
        this.key = key;
        this.scheduler = scheduler;
        this.onEnd = onEnd;
    }

    /** Adds a reader, unless the feed has ended. */
    boolean join(Branch branch) {
        lock.lock();
        try {
            if (hasEnded) {
                return false;
            }
            branches.add(branch);
            if (upstream == null) {
                upstream = open(branch.lastPosition());
            } else if (!recent.position().isEmpty()) {
                welcome(branch);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Sends what a reader lacks who joins while the feed is under way. */
    private void welcome(Branch branch) {
        if (branch.lastPosition().isEmpty()) {
            branch.offer(checkpoint());
            return;
        }
        recent.after(branch.lastPosition())
                .orElseGet(() -> List.of(gap("The gateway does not remember the changes since then.")))
                .forEach(branch::offer);
    }

    /** Removes a reader. */
    void leave(Branch branch) {
        boolean isLast;
        lock.lock();
        try {
            isLast = branches.remove(branch) && branches.isEmpty() && !hasEnded;
            hasEnded |= isLast;
        } finally {
            lock.unlock();
        }
        if (isLast) {
            closeUpstream();
            onEnd.accept(this);
        }
    }

    void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    FollowRunsResponse gap(String why) {
        return FollowRunsResponse.newBuilder()
                .setPosition(recent.position())
                .setGap(why)
                .build();
    }

    private FollowRunsResponse checkpoint() {
        return FollowRunsResponse.newBuilder().setPosition(recent.position()).build();
    }

    private Upstream open(String after) {
        var opened = new Upstream(after);
        var request = FollowRunsRequest.newBuilder()
                .setWorkspace(key.workspace())
                .setAfterPosition(after)
                .build();
        opened.call = scheduler.feed(key.caller(), EventServiceGrpc.getFollowRunsMethod(), request, opened);
        opened.call.request(1);
        return opened;
    }

    private void closeUpstream() {
        var open = upstream;
        if (open != null) {
            open.cancel();
        }
    }

    /** The call to the scheduler. */
    private final class Upstream extends ClientCall.Listener<FollowRunsResponse> {

        private final String after;
        private volatile @Nullable ClientCall<FollowRunsRequest, FollowRunsResponse> call;

        Upstream(String after) {
            this.after = after;
        }

        @Override
        public void onMessage(FollowRunsResponse message) {
            locked(() -> {
                if (hasEnded) {
                    return;
                }
                boolean isFirst = recent.position().isEmpty();
                recent.add(message);
                for (var branch : List.copyOf(branches)) {
                    if (isFirst
                            && !branch.lastPosition().isEmpty()
                            && !branch.lastPosition().equals(after)) {
                        branch.offer(gap("The gateway does not remember the changes since then."));
                    } else {
                        branch.offer(message);
                    }
                }
                var running = call;
                if (running != null) {
                    running.request(1);
                }
            });
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            List<Branch> ended;
            lock.lock();
            try {
                if (hasEnded) {
                    return;
                }
                hasEnded = true;
                ended = List.copyOf(branches);
                branches.clear();
            } finally {
                lock.unlock();
            }
            onEnd.accept(RunFeed.this);
            ended.forEach(branch -> branch.end(status, trailers));
        }

        void cancel() {
            var running = call;
            if (running != null) {
                running.cancel("Nobody follows these runs any more.", null);
            }
        }
    }
}
