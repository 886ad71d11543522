package dev.millrace.scheduler.testing;

import dev.millrace.scheduler.rpc.CallGuards;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.List;

/** Guards that let every call pass, for tests of what comes after them. */
public final class OpenGuards implements ServerInterceptor {
    public static final CallGuards GUARDS = new CallGuards(new OpenGuards(), (_, _) -> false, List.of());

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return next.startCall(call, headers);
    }
}
