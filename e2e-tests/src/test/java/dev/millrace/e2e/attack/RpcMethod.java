package dev.millrace.e2e.attack;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.millrace.proto.access.v1.Rule;
import dev.millrace.proto.access.v1.RuleProto;
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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A method that a scheduler offers, to be called with any fields. */
record RpcMethod(MethodDescriptor<?, ?> descriptor) {
    private static final String OURS = "millrace.";

    private static final List<String> READS = List.of("Get", "List", "Watch", "Tail", "Explain", "Export", "WhoAmI");
    private static final int PAGE_SIZE = 1_000;
    private static final int ANSWER_BYTES_MAX = 64 << 20;

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

    /** Who may call the method, as its definition says. */
    Rule rule() {
        return schema().getOptions().getExtension(RuleProto.rule);
    }

    boolean has(String field) {
        return request().findFieldByName(field) != null;
    }

    /** Whether the method changes nothing. */
    boolean reads() {
        return READS.stream().anyMatch(name().substring(name().indexOf('/') + 1)::startsWith);
    }

    /** Calls the method with those of the text fields that its request has, and returns how the call ended. */
    Status call(Channel channel, Map<String, String> fields) {
        try {
            var _ = answers(channel, request(fields).build()).hasNext();
            return Status.OK;
        } catch (StatusRuntimeException refusal) {
            return refusal.getStatus();
        }
    }

    /** Calls the method likewise, asks for as much as it shows, and returns all answers before its end or failure. */
    List<Message> read(Channel channel, Map<String, String> fields) {
        DynamicMessage.Builder message = request(fields);
        for (FieldDescriptor field : request().getFields()) {
            if (field.getName().equals("page_size")) {
                message.setField(field, PAGE_SIZE);
            } else if (field.getName().startsWith("include_") || field.getName().equals("all")) {
                message.setField(field, true);
            }
        }
        List<Message> read = new ArrayList<>();
        try {
            answers(channel, message.build()).forEachRemaining(read::add);
        } catch (StatusRuntimeException refusal) {
            return List.copyOf(read);
        }
        return read;
    }

    private DynamicMessage.Builder request(Map<String, String> fields) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(request());
        fields.forEach((name, value) -> {
            FieldDescriptor field = request().findFieldByName(name);
            if (field != null && !field.isRepeated() && field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                message.setField(field, value);
            }
        });
        return message;
    }

    private Iterator<DynamicMessage> answers(Channel channel, DynamicMessage message) {
        return ClientCalls.blockingServerStreamingCall(
                channel,
                MethodDescriptor.newBuilder(
                                ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(request())),
                                ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(answer())))
                        .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                        .setFullMethodName(name())
                        .build(),
                CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS).withMaxInboundMessageSize(ANSWER_BYTES_MAX),
                message);
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
