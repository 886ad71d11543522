package dev.millrace.scheduler.rpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rejects each request that names a run of another workspace, as if there were no such run. It reads the fields {@code
 * run_id} and {@code workspace} of every request that has both, so no method can forget the check. Blocking: each such
 * request costs a look-up by key.
 */
final class WorkspaceGuard implements ServerInterceptor {
    private static final String RUN = "run_id";
    private static final String WORKSPACE = "workspace";

    private final Function<RunId, Optional<String>> workspaceOf;

    /** @param workspaceOf workspace of a run; empty if there is no such run */
    WorkspaceGuard(Function<RunId, Optional<String>> workspaceOf) {
        this.workspaceOf = workspaceOf;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        ServerCall.Listener<Q> served = next.startCall(call, headers);
        return call.getMethodDescriptor().getType().clientSendsOneMessage() ? new Guarded<>(served) : served;
    }

    private final class Guarded<Q> extends SimpleForwardingServerCallListener<Q> {
        private @Nullable Q request;

        Guarded(ServerCall.Listener<Q> served) {
            super(served);
        }

        @Override
        public void onMessage(Q message) {
            request = message;
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            if (request instanceof Message message) {
                check(message);
            }
            super.onHalfClose();
        }
    }

    private void check(Message request) {
        Descriptor type = request.getDescriptorForType();
        FieldDescriptor run = type.findFieldByName(RUN);
        FieldDescriptor workspace = type.findFieldByName(WORKSPACE);
        if (run == null || workspace == null) {
            return;
        }
        String asking = RequestFields.workspace((String) request.getField(workspace));
        RunId id;
        try {
            id = RunId.parse((String) request.getField(run));
        } catch (IllegalArgumentException noId) {
            // The service reports what is wrong with the id.
            return;
        }
        if (workspaceOf.apply(id).filter(owner -> !owner.equals(asking)).isPresent()) {
            throw new MillraceException(ErrorCode.RUN_NOT_FOUND, "There is no run " + id + ".");
        }
    }
}
