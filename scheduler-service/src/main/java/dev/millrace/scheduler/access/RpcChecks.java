package dev.millrace.scheduler.access;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The checks of all methods of a server. Methods that are not ours, such as health checks, are public. */
public final class RpcChecks {
    private final Map<String, RpcCheck> checks = new HashMap<>();
    private final RpcCheck none;

    /**
     * Reads the rules of all methods of the services.
     *
     * @throws IllegalStateException if a method has no rule
     */
    public RpcChecks(List<BindableService> services, RunNames runs, WorkspaceGate gate) {
        none = RpcCheck.none(gate);
        for (BindableService service : services) {
            for (ServerMethodDefinition<?, ?> method : service.bindService().getMethods()) {
                MethodDescriptor<?, ?> descriptor = method.getMethodDescriptor();
                if (!(descriptor.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto)) {
                    throw new IllegalStateException("The method " + descriptor.getFullMethodName()
                            + " has no schema, and so no rule that says who may call it.");
                }
                checks.put(descriptor.getFullMethodName(), RpcCheck.of(proto.getMethodDescriptor(), runs, gate));
            }
        }
    }

    RpcCheck of(MethodDescriptor<?, ?> method) {
        return checks.getOrDefault(method.getFullMethodName(), none);
    }
}
