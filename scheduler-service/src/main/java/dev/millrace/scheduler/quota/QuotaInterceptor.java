package dev.millrace.scheduler.quota;

import com.google.protobuf.Message;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.quota.core.Refusal;
import dev.millrace.scheduler.runtime.WakeLatch;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls beyond the quotas of their workspace or token, and reads streams of submissions more slowly. It comes
 * after the check of the caller's rights, so that nobody uses up the quotas of others.
 */
public final class QuotaInterceptor implements ServerInterceptor {
    /** Longest time for which a stream of submissions is held back before it fails. */
    private static final Duration HELD_BACK_MAX = Duration.ofSeconds(30);

    /** Time after which a stream that is held back looks for new quotas, and whether it was canceled. */
    private static final Duration HELD_BACK_TURN_MAX = Duration.ofMillis(500);

    /** Longest time for which a refusal is held back, so that a caller that does not care about it slows down. */
    private static final Duration REFUSAL_DELAY_MAX = Duration.ofMillis(200);
    /** Maximum number of refusals that are held back at a time. Others are sent at once. */
    private static final int REFUSALS_HELD_MAX = 1_000;

    private final QuotaBook book;
    private final Semaphore heldRefusals = new Semaphore(REFUSALS_HELD_MAX);
    private final Map<String, QuotaMethod> methods = new HashMap<>();

    /** @param services all services of the server */
    public QuotaInterceptor(QuotaBook book, List<BindableService> services) {
        this.book = book;
        for (BindableService service : services) {
            for (ServerMethodDefinition<?, ?> method : service.bindService().getMethods()) {
                if (method.getMethodDescriptor().getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
                    QuotaMethod.of(proto.getMethodDescriptor())
                            .ifPresent(taking ->
                                    methods.put(method.getMethodDescriptor().getFullMethodName(), taking));
                }
            }
        }
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        @Nullable QuotaMethod method = methods.get(call.getMethodDescriptor().getFullMethodName());
        Listener<Q> served = next.startCall(call, headers);
        if (method == null) {
            return served;
        }
        return call.getMethodDescriptor().getType().clientSendsOneMessage()
                ? new OneRequest<>(served, method, Access.current())
                : new EachRequest<>(served, method, Access.current());
    }

    private MillraceException exceeded(Workspace workspace, Refusal refusal) {
        book.refused(workspace);
        return MillraceException.quotaExceeded(refusal.message(), refusal.retryAfter());
    }

    private void holdBack(Refusal refusal) {
        if (heldRefusals.tryAcquire()) {
            try {
                Duration wait = refusal.retryAfter();
                pause(wait.compareTo(REFUSAL_DELAY_MAX) < 0 ? wait : REFUSAL_DELAY_MAX);
            } finally {
                heldRefusals.release();
            }
        }
    }

    private static void pause(Duration time) {
        try {
            WakeLatch.pause(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class OneRequest<Q> extends SimpleForwardingServerCallListener<Q> {
        private final QuotaMethod method;
        private final Access access;
        private @Nullable Message request;
        private @Nullable Workspace streaming;

        OneRequest(Listener<Q> served, QuotaMethod method, Access access) {
            super(served);
            this.method = method;
            this.access = access;
        }

        @Override
        public void onMessage(Q message) {
            if (message instanceof Message known) {
                request = known;
            }
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            Message known = request;
            if (known != null) {
                take(known);
            }
            super.onHalfClose();
        }

        private void take(Message known) {
            Workspace workspace = method.workspace(known);
            Optional<Refusal> refusal = method.isStream()
                    ? book.openStream(workspace)
                    : book.take(access, workspace, method.runs(known), method.bytes(known));
            if (refusal.isPresent()) {
                holdBack(refusal.get());
                throw exceeded(workspace, refusal.get());
            }
            streaming = method.isStream() ? workspace : null;
        }

        @Override
        public void onCancel() {
            closeStream();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            closeStream();
            super.onComplete();
        }

        private void closeStream() {
            Workspace opened = streaming;
            streaming = null;
            if (opened != null) {
                book.closeStream(opened);
            }
        }
    }

    /** Holds each message back until there is room for it, on a thread that may wait. */
    private final class EachRequest<Q> extends SimpleForwardingServerCallListener<Q> {
        private final QuotaMethod method;
        private final Access access;

        EachRequest(Listener<Q> served, QuotaMethod method, Access access) {
            super(served);
            this.method = method;
            this.access = access;
        }

        @Override
        public void onMessage(Q message) {
            if (message instanceof Message request) {
                awaitRoom(request);
            }
            // The stream of a token that was revoked meanwhile must do nothing more.
            if (!Context.current().isCancelled()) {
                super.onMessage(message);
            }
        }

        private void awaitRoom(Message request) {
            Workspace workspace = method.workspace(request);
            Duration left = HELD_BACK_MAX;
            Optional<Refusal> refusal = book.take(access, workspace, method.runs(request), method.bytes(request));
            while (refusal.isPresent() && !Context.current().isCancelled()) {
                Duration wait = refusal.get().retryAfter();
                if (wait.compareTo(left) > 0) {
                    throw exceeded(workspace, refusal.get());
                }
                Duration turn = wait.compareTo(HELD_BACK_TURN_MAX) < 0 ? wait : HELD_BACK_TURN_MAX;
                pause(turn);
                left = left.minus(turn);
                refusal = book.take(access, workspace, method.runs(request), method.bytes(request));
            }
        }
    }
}
