package dev.millrace.gateway.rpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.connection.Connection;
import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.health.v1.HealthGrpc;

/** A call whose first answer proves that the scheduler has accepted the token of the caller, if the call shows one. */
final class RecognizingCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final ServiceRequestContext context;
    private final MethodDescriptor<Q, A> method;

    RecognizingCall(ServiceRequestContext context, MethodDescriptor<Q, A> method, ClientCall<Q, A> call) {
        super(call);
        this.context = context;
        this.method = method;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
        super.start(isChecked(headers) ? recognizing(listener) : listener, headers);
    }

    /** Checks of health are answered whatever token they show. */
    private boolean isChecked(Metadata headers) {
        return headers.containsKey(CallHeaders.AUTHORIZATION)
                && !HealthGrpc.SERVICE_NAME.equals(method.getServiceName());
    }

    private Listener<A> recognizing(Listener<A> listener) {
        return new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onMessage(A message) {
                Connection.recognize(context);
                super.onMessage(message);
            }
        };
    }
}
