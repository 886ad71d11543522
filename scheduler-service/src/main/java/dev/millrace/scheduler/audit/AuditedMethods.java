package dev.millrace.scheduler.audit;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The methods of a server that the audit knows: all but those that are not ours, such as health checks. */
final class AuditedMethods {
    private final Map<String, AuditedMethod> methods = new HashMap<>();

    AuditedMethods(List<BindableService> services) {
        for (BindableService service : services) {
            for (ServerMethodDefinition<?, ?> method : service.bindService().getMethods()) {
                MethodDescriptor<?, ?> descriptor = method.getMethodDescriptor();
                if (descriptor.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
                    methods.put(descriptor.getFullMethodName(), AuditedMethod.of(proto.getMethodDescriptor()));
                }
            }
        }
    }

    Optional<AuditedMethod> find(MethodDescriptor<?, ?> method) {
        return Optional.ofNullable(methods.get(method.getFullMethodName()));
    }
}
