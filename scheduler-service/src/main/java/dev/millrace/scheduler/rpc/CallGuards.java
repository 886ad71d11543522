package dev.millrace.scheduler.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerInterceptor;
import java.util.List;

/**
 * What decides on each call.
 *
 * @param authentication finds out who calls, before anything of the call is read, on a thread that must not wait
 * @param strangers tells of whom nobody knows who they are, before authentication
 * @param checks decide on requests, in the order from the inside to the outside; they may wait, and their exceptions are
 *     translated
 */
public record CallGuards(ServerInterceptor authentication, Strangers strangers, List<ServerInterceptor> checks) {
    /** Tells of whom nobody knows who they are. */
    @FunctionalInterface
    public interface Strangers {
        /** Whether the call shows no token, and its caller is not trusted without one. Never waits. */
        boolean include(ServerCall<?, ?> call, Metadata headers);
    }

    public CallGuards {
        checks = List.copyOf(checks);
    }
}
