package dev.millrace.scheduler.access;

import dev.millrace.scheduler.rpc.ErrorStatus;
import dev.millrace.scheduler.runtime.Loop;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open streams of callers with tokens. A stream may outlive its token, so it is ended once the token has expired, was
 * revoked, or gives other rights than at the start of the stream.
 */
public final class OpenStreams implements AutoCloseable {
    /**
     * Time between two checks. A token that was read more than 5 s ago is read again for the check after the next, so a
     * stream ends within 10 s even if the notification of the change was lost.
     */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);
    /** Time until the next check while no stream is open; a new one wakes the loop. */
    private static final Duration IDLE_INTERVAL = Duration.ofHours(1);

    private static final Logger log = LoggerFactory.getLogger(OpenStreams.class);

    private final Credentials credentials;
    private final Set<Stream<?, ?>> open = ConcurrentHashMap.newKeySet();
    private final Loop loop;
    private final AtomicBoolean isIdle = new AtomicBoolean();

    private OpenStreams(Credentials credentials) {
        this.credentials = credentials;
        this.loop = Loop.of("open-streams", this::checkAll);
    }

    /** Starts to check streams. */
    public static OpenStreams start(Credentials credentials) {
        OpenStreams streams = new OpenStreams(credentials);
        streams.loop.start();
        return streams;
    }

    /** Checks all streams soon, because tokens or rights have changed. */
    public void wake() {
        loop.wake();
    }

    <Q, A> Listener<Q> serve(
            Access access, String token, ServerCall<Q, A> call, Function<ServerCall<Q, A>, Listener<Q>> service) {
        Stream<Q, A> stream = new Stream<>(access, token, call);
        open.add(stream);
        if (isIdle.compareAndSet(true, false)) {
            loop.wake();
        }
        return stream.listen(service.apply(stream));
    }

    @Override
    public void close() {
        loop.close();
    }

    private Duration checkAll() {
        check();
        // The order matters: a stream that opens in between finds the mark and wakes the loop.
        isIdle.set(true);
        if (open.isEmpty()) {
            return IDLE_INTERVAL;
        }
        isIdle.set(false);
        return CHECK_INTERVAL;
    }

    private void check() {
        for (Stream<?, ?> stream : open) {
            try {
                Optional<Access> now = credentials.find(stream.token);
                if (now.isEmpty()) {
                    stream.end(Denied.badCredential());
                } else if (!now.get().equals(stream.access)) {
                    stream.end(Denied.changed());
                }
            } catch (RuntimeException failure) {
                // The token may be good, so the stream stays until the database answers.
                log.atWarn().setCause(failure).log("The token of an open stream could not be checked");
            }
        }
    }

    /** A call that ignores everything that its service does after its end. */
    private final class Stream<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final Access access;
        private final String token;
        private @Nullable Events<Q> events;
        private boolean isEnded;

        Stream(Access access, String token, ServerCall<Q, A> call) {
            super(call);
            this.access = access;
            this.token = token;
        }

        Listener<Q> listen(Listener<Q> service) {
            Events<Q> guarded = new Events<>(service, () -> open.remove(this));
            synchronized (this) {
                events = guarded;
            }
            return guarded;
        }

        /** Ends the call. To its service, that looks as if the caller had canceled it. */
        void end(RuntimeException reason) {
            StatusRuntimeException status = ErrorStatus.of(reason);
            Metadata trailers = status.getTrailers();
            Events<Q> told;
            synchronized (this) {
                if (isEnded || events == null) {
                    return;
                }
                isEnded = true;
                told = events;
                super.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
            }
            // The service may hold an event back, and the other streams must not wait for it.
            Thread.startVirtualThread(told::onCancel);
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            if (!isEnded) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public synchronized void sendMessage(A message) {
            if (!isEnded) {
                super.sendMessage(message);
            }
        }

        @Override
        public synchronized void close(Status status, Metadata trailers) {
            if (!isEnded) {
                isEnded = true;
                super.close(status, trailers);
            }
        }
    }

    /** Delivers the events of a call one at a time, also the end that comes from another thread. */
    private static final class Events<Q> extends Listener<Q> {
        private final Listener<Q> service;
        private final Runnable done;
        private boolean isDone;

        Events(Listener<Q> service, Runnable done) {
            this.service = service;
            this.done = done;
        }

        @Override
        public synchronized void onMessage(Q message) {
            if (!isDone) {
                service.onMessage(message);
            }
        }

        @Override
        public synchronized void onHalfClose() {
            if (!isDone) {
                service.onHalfClose();
            }
        }

        @Override
        public synchronized void onReady() {
            if (!isDone) {
                service.onReady();
            }
        }

        @Override
        public synchronized void onCancel() {
            end(service::onCancel);
        }

        @Override
        public synchronized void onComplete() {
            end(service::onComplete);
        }

        private void end(Runnable event) {
            if (!isDone) {
                isDone = true;
                done.run();
                event.run();
            }
        }
    }
}
