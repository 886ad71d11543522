package dev.millrace.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A method of a scheduler, called with requests in text format. */
record RpcMethod(Channel channel, MethodDescriptor<?, ?> grpc) {
    /** Values of further fields of requests that name a run, so that only the workspace is wrong. */
    private static final Map<String, Object> VALID = Map.of(
            "step_key", "a",
            "step", "a",
            "name", "a",
            "actors", List.of("ada"),
            "answer", 1,
            "blob_id", "019ab000-0000-7000-8000-000000000000");

    /** The methods of all Millrace services that the scheduler offers, by service and method name. */
    static Map<String, RpcMethod> all(Channel channel) {
        Set<String> offered = offered(channel);
        List<ServiceDescriptor> services = new ClassFileImporter()
                .importPackages("dev.millrace.proto").stream()
                        .filter(type -> type.getSimpleName().endsWith("ServiceGrpc"))
                        .map(RpcMethod::service)
                        .filter(service -> offered.contains(service.getName()))
                        .toList();
        assertThat(services).hasSameSizeAs(offered);
        return services.stream()
                .flatMap(service -> service.getMethods().stream())
                .map(method -> new RpcMethod(channel, method))
                .collect(Collectors.toMap(RpcMethod::name, method -> method));
    }

    private static Set<String> offered(Channel channel) {
        return ClientCalls.blockingServerStreamingCall(
                        channel,
                        ServerReflectionGrpc.getServerReflectionInfoMethod().toBuilder()
                                .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                                .build(),
                        CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
                        ServerReflectionRequest.newBuilder().setListServices("").build())
                .next()
                .getListServicesResponse()
                .getServiceList()
                .stream()
                .map(ServiceResponse::getName)
                .filter(name -> name.startsWith("millrace."))
                .collect(Collectors.toSet());
    }

    private static ServiceDescriptor service(JavaClass type) {
        try {
            return (ServiceDescriptor)
                    type.reflect().getMethod("getServiceDescriptor").invoke(null);
        } catch (ReflectiveOperationException noService) {
            throw new IllegalStateException(type.getName(), noService);
        }
    }

    String name() {
        return described().getService().getName() + "/" + described().getName();
    }

    boolean hasField(String name) {
        return described().getInputType().findFieldByName(name) != null;
    }

    StatusRuntimeException refusal(String workspace, String request) {
        return Objects.requireNonNull(failure(workspace, request), () -> name() + " accepted " + request);
    }

    @Nullable StatusRuntimeException failure(String workspace, String request) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> call(workspace, request));
    }

    /** All responses to a request in text format that names no workspace. */
    List<DynamicMessage> call(String request) {
        return call("", request);
    }

    /** All responses to a request in text format. Fields in {@link #VALID} have the values given there. */
    List<DynamicMessage> call(String workspace, String request) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(described().getInputType());
        try {
            TextFormat.merge(request, message);
        } catch (TextFormat.ParseException wrong) {
            throw new IllegalArgumentException(request, wrong);
        }
        if (hasField("workspace")) {
            message.setField(described().getInputType().findFieldByName("workspace"), workspace);
        }
        if (hasField("run_id")) {
            VALID.forEach((name, value) -> set(message, name, value));
        }
        MethodDescriptor<DynamicMessage, DynamicMessage> dynamic = MethodDescriptor.newBuilder(
                        ProtoUtils.marshaller(
                                DynamicMessage.getDefaultInstance(described().getInputType())),
                        ProtoUtils.marshaller(
                                DynamicMessage.getDefaultInstance(described().getOutputType())))
                .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                .setFullMethodName(grpc.getFullMethodName())
                .build();
        List<DynamicMessage> answers = new ArrayList<>();
        ClientCalls.blockingServerStreamingCall(
                        channel, dynamic, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), message.build())
                .forEachRemaining(answers::add);
        return answers;
    }

    private static void set(DynamicMessage.Builder message, String name, Object value) {
        Descriptor type = message.getDescriptorForType();
        FieldDescriptor field = type.findFieldByName(name);
        if (field != null) {
            message.setField(
                    field,
                    field.getType() == FieldDescriptor.Type.ENUM
                            ? field.getEnumType().findValueByNumber((Integer) value)
                            : value);
        }
    }

    private com.google.protobuf.Descriptors.MethodDescriptor described() {
        return ((ProtoMethodDescriptorSupplier) Objects.requireNonNull(grpc.getSchemaDescriptor()))
                .getMethodDescriptor();
    }
}
