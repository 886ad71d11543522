package dev.millrace.scheduler.rpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.millrace.scheduler.queue.core.Workspace;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets calls wait that ask for {@link LargePages}. It runs where calls may wait, after the check of the caller's rights. */
public final class LargeListInterceptor implements ServerInterceptor {
    /** Pages up to this size do not wait. */
    static final int SMALL_PAGE_MAX = 100;
    /** Methods that return large lists without pages. */
    private static final Set<String> WITHOUT_PAGES = Set.of("ListResourceTypes");

    private static final Duration WAIT_MAX = Duration.ofSeconds(15);

    private final LargePages pages = new LargePages(WAIT_MAX);

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Listener<Q> served = next.startCall(call, headers);
        String method = call.getMethodDescriptor().getBareMethodName();
        return call.getMethodDescriptor().getType().clientSendsOneMessage() && method != null
                ? new OneRequest<>(served, WITHOUT_PAGES.contains(method))
                : served;
    }

    private static boolean isLarge(Message request) {
        @Nullable FieldDescriptor size = request.getDescriptorForType().findFieldByName("page_size");
        return size != null && (int) request.getField(size) > SMALL_PAGE_MAX;
    }

    private static Optional<Workspace> owner(Message request) {
        @Nullable FieldDescriptor field = request.getDescriptorForType().findFieldByName("workspace");
        return field == null
                ? Optional.empty()
                : Optional.of(RequestFields.workspace((String) request.getField(field)));
    }

    private final class OneRequest<Q> extends SimpleForwardingServerCallListener<Q> {
        private final boolean isAlwaysLarge;
        private @Nullable Message request;

        OneRequest(Listener<Q> served, boolean isAlwaysLarge) {
            super(served);
            this.isAlwaysLarge = isAlwaysLarge;
        }

        @Override
        public void onMessage(Q message) {
            if (message instanceof Message known && (isAlwaysLarge || isLarge(known))) {
                request = known;
            }
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            Message large = request;
            if (large == null) {
                super.onHalfClose();
            } else {
                pages.read(owner(large), super::onHalfClose);
            }
        }
    }
}
