package dev.millrace.scheduler.rpc;

import io.grpc.ServerInterceptor;
import java.util.List;

/**
 * What decides on each call.
 *
 * @param authentication finds out who calls, before anything of the call is read, on a thread that must not wait
 * @param checks decide on requests, in the order from the inside to the outside; they may wait, and their exceptions are
 *     translated
 */
public record CallGuards(ServerInterceptor authentication, List<ServerInterceptor> checks) {
    public CallGuards {
        checks = List.copyOf(checks);
    }
}
