package dev.millrace.gateway.run.feed;

import dev.millrace.proto.event.v1.FollowRunsRequest;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One reader of a feed, which looks like a call of its own. It receives messages as it requests them. If more than
 * {@link #PENDING_MAX} wait for it, they are dropped and it learns of a gap, so a slow reader holds up nobody.
 *
 * <p>Guarded by the lock of its feed.
 */
final class Branch extends ClientCall<FollowRunsRequest, FollowRunsResponse> {

    private static final int PENDING_MAX = 128;
    private static final int PENDING_BYTES_MAX = 256 << 10;

    private final RunFeed feed;
    private final RunFilter filter;
    private final String lastPosition;
    private final Listener<FollowRunsResponse> listener;
    private final Deque<FollowRunsResponse> pending = new ArrayDeque<>();
    private int pendingBytes;
    private int requested;
    private boolean isLagging;

    /** @param lastPosition position of the last change that the reader has; empty for a new reader */
    Branch(RunFeed feed, RunFilter filter, String lastPosition, Listener<FollowRunsResponse> listener) {
        this.feed = feed;
        this.filter = filter;
        this.lastPosition = lastPosition;
        this.listener = listener;
    }

    String lastPosition() {
        return lastPosition;
    }

    /** Takes a message, which reaches the reader unless its list cannot contain the run. */
    void offer(FollowRunsResponse message) {
        if (!filter.concerns(message)) {
            return;
        }
        pending.add(message);
        pendingBytes += message.getSerializedSize();
        if (pending.size() > PENDING_MAX || (pendingBytes > PENDING_BYTES_MAX && pending.size() > 1)) {
            pending.clear();
            pendingBytes = 0;
            isLagging = true;
        }
        deliver();
    }

    /** Ends the call of a reader who has left the feed, without the lock. Whoever delivers to it is awaited. */
    void end(Status status, Metadata trailers) {
        feed.locked(() -> {
            pending.clear();
            isLagging = false;
        });
        listener.onClose(status, trailers);
    }

    private void deliver() {
        while (requested > 0 && (isLagging || !pending.isEmpty())) {
            requested--;
            if (isLagging) {
                isLagging = false;
                listener.onMessage(feed.gap("You read slower than runs change: list them again."));
            } else {
                var message = pending.remove();
                pendingBytes -= message.getSerializedSize();
                listener.onMessage(message);
            }
        }
    }

    @Override
    public void request(int messages) {
        feed.locked(() -> {
            requested += messages;
            deliver();
        });
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        feed.leave(this);
    }

    @Override
    public void start(Listener<FollowRunsResponse> ignored, Metadata headers) {
        throw new IllegalStateException("A branch has started when its feed returns it.");
    }

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(FollowRunsRequest message) {
        throw new IllegalStateException("A feed has sent its request already.");
    }
}
