package dev.millrace.scheduler.identity;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.scheduler.access.RpcRule;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** All methods of all services of Millrace, for tests that walk over them. */
final class RpcMethods {
    private RpcMethods() {}

    /** One method. */
    record Method(io.grpc.MethodDescriptor<?, ?> grpc) {
        /** Service and method, for example {@code RunService/GetRun}. */
        String name() {
            return proto().getService().getName() + "/" + proto().getName();
        }

        RpcRule rule() {
            return RpcRule.of(proto());
        }

        MethodDescriptor proto() {
            return ((ProtoMethodDescriptorSupplier) Objects.requireNonNull(grpc.getSchemaDescriptor()))
                    .getMethodDescriptor();
        }

        /** A request with those of the fields that it has. */
        DynamicMessage request(Map<String, Object> fields) {
            DynamicMessage.Builder message = DynamicMessage.newBuilder(proto().getInputType());
            fields.forEach((name, value) -> field(name).ifPresent(field -> message.setField(field, value)));
            return message.build();
        }

        private Optional<FieldDescriptor> field(String name) {
            return Optional.ofNullable(proto().getInputType().findFieldByName(name));
        }

        /** Calls the method and returns whether there was an answer. Fails with the status of the call. */
        boolean call(Channel channel, DynamicMessage request) {
            Iterator<DynamicMessage> answers = ClientCalls.blockingServerStreamingCall(
                    channel,
                    io.grpc.MethodDescriptor.newBuilder(
                                    ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(proto().getInputType())),
                                    ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(proto().getOutputType())))
                            .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
                            .setFullMethodName(grpc.getFullMethodName())
                            .build(),
                    CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
                    request);
            return answers.hasNext();
        }
    }

    /** The methods in the order of their names. */
    static List<Method> all() {
        return new ClassFileImporter()
                .importPackages("dev.millrace.proto").stream()
                        .filter(type -> type.getSimpleName().endsWith("ServiceGrpc"))
                        .map(type -> service(type.reflect()))
                        .flatMap(service -> service.getMethods().stream())
                        .map(Method::new)
                        .sorted(Comparator.comparing(Method::name))
                        .toList();
    }

    private static ServiceDescriptor service(Class<?> type) {
        try {
            return (ServiceDescriptor) type.getMethod("getServiceDescriptor").invoke(null);
        } catch (ReflectiveOperationException noService) {
            throw new IllegalStateException(type.getName(), noService);
        }
    }
}
