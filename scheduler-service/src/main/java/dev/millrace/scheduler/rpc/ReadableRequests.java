package dev.millrace.scheduler.rpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Passes requests that are no messages of their type to the interceptors, as null. {@link ErrorInterceptor} rejects
 * them. gRPC itself would throw outside the interceptors, answer UNKNOWN and log a stack trace for each such call.
 */
final class ReadableRequests {
    private ReadableRequests() {}

    static ServerServiceDefinition of(ServerServiceDefinition service) {
        ServiceDescriptor described = service.getServiceDescriptor();
        ServiceDescriptor.Builder descriptor =
                ServiceDescriptor.newBuilder(described.getName()).setSchemaDescriptor(described.getSchemaDescriptor());
        var methods =
                service.getMethods().stream().map(ReadableRequests::method).toList();
        methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder readable = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(readable::addMethod);
        return readable.build();
    }

    private static <Q, A> ServerMethodDefinition<Q, A> method(ServerMethodDefinition<Q, A> method) {
        MethodDescriptor<Q, A> descriptor = method.getMethodDescriptor();
        return ServerMethodDefinition.create(
                descriptor.toBuilder()
                        .setRequestMarshaller(new NullIfMalformed<>(descriptor.getRequestMarshaller()))
                        .build(),
                method.getServerCallHandler());
    }

    private record NullIfMalformed<Q>(Marshaller<Q> messages) implements Marshaller<Q> {
        @Override
        public InputStream stream(Q message) {
            return messages.stream(message);
        }

        @Override
        @SuppressWarnings("NullAway") // gRPC passes the result on as it is, and its interface says nothing about null.
        public @Nullable Q parse(InputStream bytes) {
            try {
                return messages.parse(bytes);
            } catch (StatusRuntimeException malformed) {
                return null;
            }
        }
    }
}
