package dev.millrace.e2e.attack;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A method that a scheduler offers, to be called with any fields. */
record RpcMethod(MethodDescriptor<?, ?> descriptor) {
    private static final String OURS = "millrace.";

    /** All methods of a scheduler's services, as it lists them itself. */
    static List<RpcMethod> all(Channel channel) {
        return serviceNames(channel).stream()
                .filter(name -> name.startsWith(OURS))
                .flatMap(name -> service(name).getMethods().stream())
                .map(RpcMethod::new)
                .toList();
    }

    String name() {
        return descriptor.getFullMethodName();
    }

    boolean has(String field) {
        return request().findFieldByName(field) != null;
    }

    /** Calls the method with those of the text fields that its request has, and returns how the call ended. */
    Status call(Channel channel, Map<String, String> fields) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(request());
        fields.forEach((name, value) -> {
            FieldDescriptor field = request().findFieldByName(name);
            if (field != null && !field.isRepeated() && field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                message.setField(field, value);
            }
        });
        try {
            var _ = ClientCalls.blockingServerStreamingCall(
                            channel,
                            MethodDescriptor.newBuilder(
                                            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(request())),
                                            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(answer())))
                                    .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                                    .setFullMethodName(name())
                                    .build(),
                            CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                            message.build())
                    .hasNext();
            return Status.OK;
        } catch (StatusRuntimeException refusal) {
            return refusal.getStatus();
        }
    }

    private Descriptor request() {
        return schema().getInputType();
    }

    private Descriptor answer() {
        return schema().getOutputType();
    }

    private com.google.protobuf.Descriptors.MethodDescriptor schema() {
        return ((ProtoMethodDescriptorSupplier) Objects.requireNonNull(descriptor.getSchemaDescriptor()))
                .getMethodDescriptor();
    }

    private static ServiceDescriptor service(String name) {
        try {
            return (ServiceDescriptor) Class.forName("dev.millrace.proto." + name.substring(OURS.length()) + "Grpc")
                    .getMethod("getServiceDescriptor")
                    .invoke(null);
        } catch (ReflectiveOperationException noService) {
            throw new IllegalStateException(name, noService);
        }
    }

    private static List<String> serviceNames(Channel channel) {
        var names = new CompletableFuture<List<String>>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(channel)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        names.complete(response.getListServicesResponse().getServiceList().stream()
                                .map(ServiceResponse::getName)
                                .toList());
                    }

                    @Override
                    public void onError(Throwable error) {
                        names.completeExceptionally(error);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        List<String> listed = names.join();
        requests.onCompleted();
        return listed;
    }
}
