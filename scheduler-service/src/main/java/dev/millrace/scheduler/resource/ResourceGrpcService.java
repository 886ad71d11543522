package dev.millrace.scheduler.resource;

import com.google.protobuf.ByteString;
import dev.millrace.proto.secret.v1.DeleteResourceRequest;
import dev.millrace.proto.secret.v1.DeleteResourceResponse;
import dev.millrace.proto.secret.v1.DeleteResourceTypeRequest;
import dev.millrace.proto.secret.v1.DeleteResourceTypeResponse;
import dev.millrace.proto.secret.v1.GetResourceRequest;
import dev.millrace.proto.secret.v1.GetResourceResponse;
import dev.millrace.proto.secret.v1.ListResourceTypesRequest;
import dev.millrace.proto.secret.v1.ListResourceTypesResponse;
import dev.millrace.proto.secret.v1.ListResourcesRequest;
import dev.millrace.proto.secret.v1.ListResourcesResponse;
import dev.millrace.proto.secret.v1.PutResourceRequest;
import dev.millrace.proto.secret.v1.PutResourceResponse;
import dev.millrace.proto.secret.v1.PutResourceTypeRequest;
import dev.millrace.proto.secret.v1.PutResourceTypeResponse;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.regex.Pattern;

/** gRPC service for resources and their types. */
public final class ResourceGrpcService extends ResourceServiceGrpc.ResourceServiceImplBase {
    /** Maximum size of a value or schema, in bytes. */
    private static final int VALUE_BYTES_MAX = 64 << 10;

    private static final int DESCRIPTION_CHARS_MAX = 500;
    private static final Pattern TYPE_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Resources resources;

    public ResourceGrpcService(Resources resources) {
        this.resources = resources;
    }

    @Override
    public void putResource(PutResourceRequest request, StreamObserver<PutResourceResponse> observer) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        violations.require(
                ReferencePath.isValid(request.getPath()),
                "path",
                "\"" + request.getPath() + "\" (expected: " + ReferencePath.EXPECTED + ")");
        Optional<Json> value = json("value", request.getValue(), violations);
        requireDescription("description", request.getDescription(), violations);
        violations.throwIfAny();
        Resource put = resources.put(
                workspace,
                request.getPath(),
                request.getType(),
                value.orElseThrow(),
                request.getDescription(),
                Access.current());
        Unary.answer(
                observer,
                PutResourceResponse.newBuilder()
                        .setResource(ResourceProtos.message(put))
                        .build());
    }

    @Override
    public void getResource(GetResourceRequest request, StreamObserver<GetResourceResponse> observer) {
        Resource found = resources.get(RequestFields.workspace(request.getWorkspace()), request.getPath());
        Unary.answer(
                observer,
                GetResourceResponse.newBuilder()
                        .setResource(ResourceProtos.message(found))
                        .build());
    }

    @Override
    public void listResources(ListResourcesRequest request, StreamObserver<ListResourcesResponse> observer) {
        var found = resources.list(
                RequestFields.workspace(request.getWorkspace()),
                Access.current(),
                PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListResourcesResponse.newBuilder()
                        .addAllResources(found.map(ResourceProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void deleteResource(DeleteResourceRequest request, StreamObserver<DeleteResourceResponse> observer) {
        Resource deleted = resources.delete(
                RequestFields.workspace(request.getWorkspace()), request.getPath(), request.getForce());
        Unary.answer(
                observer,
                DeleteResourceResponse.newBuilder()
                        .setResource(ResourceProtos.message(deleted))
                        .build());
    }

    @Override
    public void putResourceType(PutResourceTypeRequest request, StreamObserver<PutResourceTypeResponse> observer) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        String name = request.getType().getName();
        violations.require(
                TYPE_NAME.matcher(name).matches(),
                "type.name",
                "\"" + name + "\" (expected: 1 to 64 letters, digits, '_' and '-')");
        Optional<Json> schema = json("type.schema", request.getType().getSchema(), violations);
        requireDescription("type.description", request.getType().getDescription(), violations);
        violations.throwIfAny();
        ResourceType type = resources.putType(
                workspace,
                new ResourceType(name, schema.orElseThrow(), request.getType().getDescription()));
        Unary.answer(
                observer,
                PutResourceTypeResponse.newBuilder()
                        .setType(ResourceProtos.message(type))
                        .build());
    }

    @Override
    public void deleteResourceType(
            DeleteResourceTypeRequest request, StreamObserver<DeleteResourceTypeResponse> observer) {
        ResourceType deleted = resources.deleteType(RequestFields.workspace(request.getWorkspace()), request.getName());
        Unary.answer(
                observer,
                DeleteResourceTypeResponse.newBuilder()
                        .setType(ResourceProtos.message(deleted))
                        .build());
    }

    @Override
    public void listResourceTypes(
            ListResourceTypesRequest request, StreamObserver<ListResourceTypesResponse> observer) {
        Unary.answer(
                observer,
                ListResourceTypesResponse.newBuilder()
                        .addAllTypes(resources.types(RequestFields.workspace(request.getWorkspace())).stream()
                                .map(ResourceProtos::message)
                                .toList())
                        .build());
    }

    private static Optional<Json> json(String field, ByteString bytes, Violations violations) {
        Optional<String> text = RequestFields.text(field, bytes, VALUE_BYTES_MAX, violations);
        text.flatMap(JsonText::problem).ifPresent(problem -> violations.add(field, "is not valid JSON: " + problem));
        return text.map(Json::new);
    }

    private static void requireDescription(String field, String text, Violations violations) {
        violations.require(
                text.length() <= DESCRIPTION_CHARS_MAX && text.indexOf('\0') < 0,
                field,
                text.length() + " characters (expected: at most " + DESCRIPTION_CHARS_MAX + ", none of them NUL)");
    }
}
