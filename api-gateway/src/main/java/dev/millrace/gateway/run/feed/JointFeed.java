package dev.millrace.gateway.run.feed;

import dev.millrace.proto.event.v1.FollowEventsResponse;
import dev.millrace.proto.event.v1.FollowRunsRequest;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed of runs and a stream of events as one call, so that a page which needs both holds one connection of its browser.
 *
 * <p>At most one message of each waits for the reader. The first message is delivered when both have answered, so each
 * position that a reader gets is one in both. The end of one ends the other, as does a listener that throws an exception.
 *
 * <p>Thread-safe without locks: whoever adds something delivers, unless another thread does so already.
 */
public final class JointFeed extends ClientCall<FollowRunsRequest, Told> {

    private static final Logger log = LoggerFactory.getLogger(JointFeed.class);

    private final Listener<Told> listener;
    private final Source<FollowRunsResponse> runs;
    private final Source<FollowEventsResponse> events;

    private final Queue<Waiting> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requested = new AtomicInteger();
    private final AtomicReference<@Nullable End> end = new AtomicReference<>();
    /** Number of reasons to look for something to deliver; whoever raises it from 0 delivers. */
    private final AtomicInteger looks = new AtomicInteger();
    /** Used only by the thread that delivers. */
    private boolean hasEnded;

    private record Waiting(Source<?> source, String position, Function<String, Told> told) {}

    private record End(Status status, Metadata trailers) {}

    /**
     * Begins both.
     *
     * @param after position of the last message that the reader has; empty parts for from now on
     * @param runs opens the feed of runs, whose changes the listener receives
     * @param events opens the stream of events
     * @param listener receives what both tell
     */
    public static JointFeed open(
            JointPosition after,
            Function<Listener<FollowRunsResponse>, ClientCall<?, FollowRunsResponse>> runs,
            Function<Listener<FollowEventsResponse>, ClientCall<?, FollowEventsResponse>> events,
            Listener<Told> listener) {
        var feed = new JointFeed(after, listener);
        feed.runs.begin(runs);
        feed.events.begin(events);
        return feed;
    }

    private JointFeed(JointPosition after, Listener<Told> listener) {
        this.listener = listener;
        this.runs = new Source<>(
                after.runs(), FollowRunsResponse::getPosition, change -> at -> new Told.OfRuns(at, change));
        this.events = new Source<>(
                after.events(), FollowEventsResponse::getPosition, event -> at -> new Told.OfEvents(at, event));
    }

    @Override
    public void request(int messages) {
        requested.addAndGet(messages);
        deliver();
    }

    private void deliver() {
        if (looks.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            try {
                deliverPending();
                closeIfOver();
            } catch (RuntimeException bug) {
                // Nobody else delivers meanwhile, so without an end the reader would wait forever.
                fail(bug);
            }
            seen = looks.addAndGet(-seen);
        } while (seen != 0);
    }

    private void closeIfOver() {
        var over = end.get();
        if (over != null && !hasEnded) {
            hasEnded = true;
            pending.clear();
            cancelBoth("The other stream has ended.");
            listener.onClose(over.status(), over.trailers());
        }
    }

    private void fail(RuntimeException bug) {
        log.atError().setCause(bug).log("A reader of a feed of runs could not be told something because of a bug");
        end.set(new End(Status.INTERNAL.withCause(bug), new Metadata()));
        try {
            closeIfOver();
        } catch (RuntimeException alsoBroken) {
            log.atError().setCause(alsoBroken).log("The end of a feed of runs could not be told because of a bug");
        }
    }

    private void deliverPending() {
        while (!hasEnded && runs.hasAnswered && events.hasAnswered && requested.get() > 0) {
            var next = pending.poll();
            if (next == null) {
                return;
            }
            requested.decrementAndGet();
            next.source().position = next.position();
            listener.onMessage(next.told().apply(new JointPosition(runs.position, events.position).toString()));
            next.source().requestNext();
        }
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        cancelBoth(message == null ? "The reader has gone." : message);
    }

    private void cancelBoth(String why) {
        runs.cancel(why);
        events.cancel(why);
    }

    @Override
    public void start(Listener<Told> ignored, Metadata headers) {
        throw new IllegalStateException("A joint feed has started when it is returned.");
    }

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(FollowRunsRequest message) {
        throw new IllegalStateException("A joint feed has sent its requests already.");
    }

    /** One of the two streams. */
    private final class Source<A> extends Listener<A> {

        private final Function<A, String> positions;
        private final Function<A, Function<String, Told>> told;
        /** Position of the last message that was delivered, or of the first one if the reader has begun with it. */
        private volatile String position;

        private volatile boolean hasAnswered;
        private volatile @Nullable ClientCall<?, A> call;

        Source(String after, Function<A, String> positions, Function<A, Function<String, Told>> told) {
            this.position = after;
            this.positions = positions;
            this.told = told;
        }

        void begin(Function<Listener<A>, ClientCall<?, A>> open) {
            call = open.apply(this);
            if (end.get() == null) {
                requestNext();
            } else {
                cancel("The other stream has ended.");
            }
        }

        void requestNext() {
            var running = call;
            if (running != null) {
                running.request(1);
            }
        }

        void cancel(String why) {
            var running = call;
            if (running != null) {
                running.cancel(why, null);
            }
        }

        @Override
        public void onMessage(A message) {
            String at = positions.apply(message);
            if (position.isEmpty()) {
                // A stream from now on begins with nothing but its position.
                position = at;
            }
            pending.add(new Waiting(this, at, told.apply(message)));
            hasAnswered = true;
            deliver();
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            end.compareAndSet(null, new End(status, trailers));
            deliver();
        }
    }
}
