package dev.millrace.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.memory.MemoryPart;
import dev.millrace.memory.Reservation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Memory for request bodies: reserved as their bytes arrive, released when the requests have been answered.
 * Thread-safe.
 */
final class BodyMemory {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final MemoryPart part;

    BodyMemory(MemoryPart part) {
        this.part = part;
    }

    /** Reads the whole body. Fails with a problem as soon as memory is short; the rest of the body is then not read. */
    CompletableFuture<HttpData> read(ServiceRequestContext context, HttpRequest request) {
        var body = new Body();
        var _ = context.log().whenComplete().thenRun(body.reservation::close);
        // Not aggregate(): code that maps or watches the parts of a request would see them only after the last one.
        request.subscribe(body, context.eventLoop());
        return body.whole;
    }

    /** Collects the parts of a body. Armeria calls it from one thread. */
    private final class Body implements Subscriber<HttpObject> {
        final Reservation reservation = new Reservation(part);
        final CompletableFuture<HttpData> whole = new CompletableFuture<>();
        private final List<HttpData> parts = new ArrayList<>();
        private int length;
        private @Nullable Subscription subscription;

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
            if (reservation.tryGrow(data.length())) {
                parts.add(data);
                length += data.length();
            } else {
                parts.clear();
                reservation.close();
                whole.completeExceptionally(full());
                if (subscription != null) {
                    subscription.cancel();
                }
            }
        }

        @Override
        public void onError(Throwable failure) {
            whole.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            whole.complete(parts.size() == 1 ? parts.getFirst() : joined());
        }

        private HttpData joined() {
            var bytes = ByteBuffer.allocate(length);
            parts.forEach(data -> bytes.put(data.array()));
            parts.clear();
            return HttpData.wrap(bytes.array());
        }
    }

    private ProblemException full() {
        return new ProblemException(new Problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "The requests that the gateway holds fill their limit of " + part.limitBytes()
                        + " bytes, so there is no room for this body. Repeat the request later; if this happens often, give the gateway a"
                        + " larger heap (-Xmx).",
                List.of(),
                RETRY_AFTER));
    }
}
