package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.connection.Connection;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.memory.MemoryPart;
import dev.millrace.memory.Reservation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Memory for request bodies: reserved as their bytes arrive, released when the requests have been answered.
 *
 * <p>Bodies are read before anybody knows who sends them. So strangers could begin bodies and not end them, and keep the room
 * from everybody else. If a body needs room that is not there, the largest one that has been arriving for {@link #PATIENCE} is
 * broken off for it, that of a stranger before those of recognized connections. Thread-safe.
 */
final class BodyMemory {

    /** Time within which a body arrives whole, or may have to leave its room to others. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final MemoryPart part;
    private final LongSupplier nanos;
    private final Predicate<ServiceRequestContext> isRecognized;
    private final Set<Body> arriving = ConcurrentHashMap.newKeySet();

    BodyMemory(MemoryPart part) {
        this(part, System::nanoTime, Connection::isRecognized);
    }

    /**
     * @param nanos a clock, as {@link System#nanoTime}
     * @param isRecognized whether a request came on a connection that is no stranger's
     */
    BodyMemory(MemoryPart part, LongSupplier nanos, Predicate<ServiceRequestContext> isRecognized) {
        this.part = part;
        this.nanos = nanos;
        this.isRecognized = isRecognized;
    }

    /** Reads the whole body. Fails with a problem as soon as memory is short; the rest of the body is then not read. */
    CompletableFuture<HttpData> read(ServiceRequestContext context, HttpRequest request) {
        var body = new Body(context, nanos.getAsLong());
        var _ = context.log().whenComplete().thenRun(body.reservation::close);
        var _ = body.whole.whenComplete((_, _) -> arriving.remove(body));
        // Not aggregate(): code that maps or watches the parts of a request would see them only after the last one.
        request.subscribe(body, context.eventLoop());
        return body.whole;
    }

    /** Breaks off the body that is the first to go. Returns false if there is none. */
    private boolean breakOffOneBut(Body needy) {
        Optional<Body> first = arriving.stream()
                .filter(each -> each != needy && each.hasHadItsTime())
                .max(Comparator.comparing(Body::isOfStranger).thenComparingLong(each -> each.reservation.heldBytes()));
        first.ifPresent(Body::breakOff);
        return first.isPresent();
    }

    /** Collects the parts of a body. Armeria calls it from one thread; any thread may break it off. */
    private final class Body implements Subscriber<HttpObject> {
        final Reservation reservation = new Reservation(part);
        final CompletableFuture<HttpData> whole = new CompletableFuture<>();
        private final ServiceRequestContext context;
        private final long begunNanos;
        private final List<HttpData> parts = new ArrayList<>();
        private int length;
        private @Nullable Subscription subscription;

        Body(ServiceRequestContext context, long begunNanos) {
            this.context = context;
            this.begunNanos = begunNanos;
        }

        @Override
        public void onSubscribe(Subscription begun) {
            subscription = begun;
            begun.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(HttpObject object) {
            if (!(object instanceof HttpData data) || whole.isDone()) {
                return;
            }
            arriving.add(this);
            if (whole.isDone()) {
                // Broken off at this moment, by another thread.
                arriving.remove(this);
                return;
            }
            if (hasRoomFor(data.length())) {
                parts.add(data);
                length += data.length();
            } else if (whole.completeExceptionally(full())) {
                stop();
            }
        }

        private boolean hasRoomFor(int bytes) {
            boolean hasRoom = reservation.tryGrow(bytes);
            while (!hasRoom && !whole.isDone() && breakOffOneBut(this)) {
                hasRoom = reservation.tryGrow(bytes);
            }
            return hasRoom;
        }

        boolean hasHadItsTime() {
            return nanos.getAsLong() - begunNanos >= PATIENCE.toNanos();
        }

        boolean isOfStranger() {
            return !isRecognized.test(context);
        }

        /** Gives its room to another, unless it has arrived meanwhile. */
        void breakOff() {
            arriving.remove(this);
            if (whole.completeExceptionally(late())) {
                // The room is free for the other one now, and the bytes follow within moments.
                reservation.close();
                context.eventLoop().execute(this::stop);
            }
        }

        private void stop() {
            parts.clear();
            reservation.close();
            if (subscription != null) {
                subscription.cancel();
            }
        }

        @Override
        public void onError(Throwable failure) {
            whole.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            if (!whole.isDone()) {
                whole.complete(parts.size() == 1 ? parts.getFirst() : joined());
            }
        }

        private HttpData joined() {
            var bytes = ByteBuffer.allocate(length);
            parts.forEach(data -> bytes.put(data.array()));
            parts.clear();
            return HttpData.wrap(bytes.array());
        }
    }

    private ProblemException full() {
        return overloaded("The requests that the gateway holds fill their limit of " + part.limitBytes()
                + " bytes, so there is no room for this body. Repeat the request later; if this happens often, give the gateway a"
                + " larger heap (-Xmx).");
    }

    private ProblemException late() {
        return overloaded("The requests that the gateway holds fill their limit of " + part.limitBytes()
                + " bytes, and this body was not complete after " + PATIENCE.toSeconds()
                + " s, so its room went to another one. Repeat the request later; if this happens often, give the gateway a"
                + " larger heap (-Xmx).");
    }

    private static ProblemException overloaded(String detail) {
        return new ProblemException(
                new Problem(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", detail, List.of(), RETRY_AFTER));
    }
}
