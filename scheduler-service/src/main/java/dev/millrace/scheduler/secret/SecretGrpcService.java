package dev.millrace.scheduler.secret;

import dev.millrace.proto.secret.v1.DeleteSecretRequest;
import dev.millrace.proto.secret.v1.DeleteSecretResponse;
import dev.millrace.proto.secret.v1.ListSecretsRequest;
import dev.millrace.proto.secret.v1.ListSecretsResponse;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import dev.millrace.proto.secret.v1.SetSecretResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.secret.core.SecretValue;
import dev.millrace.scheduler.secret.core.StoreKind;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** gRPC service for secrets. */
public final class SecretGrpcService extends SecretServiceGrpc.SecretServiceImplBase {
    private static final int DESCRIPTION_CHARS_MAX = 500;

    private final Secrets secrets;

    public SecretGrpcService(Secrets secrets) {
        this.secrets = secrets;
    }

    @Override
    public void setSecret(SetSecretRequest request, StreamObserver<SetSecretResponse> observer) {
        Secret set = secrets.set(read(request), Access.current());
        Unary.answer(
                observer,
                SetSecretResponse.newBuilder()
                        .setSecret(SecretProtos.message(set))
                        .build());
    }

    @Override
    public void listSecrets(ListSecretsRequest request, StreamObserver<ListSecretsResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        var found = secrets.list(
                workspace, Access.current(), PageRequest.of(request.getPageSize(), request.getPageToken()));
        Unary.answer(
                observer,
                ListSecretsResponse.newBuilder()
                        .addAllSecrets(found.map(SecretProtos::message).items())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void deleteSecret(DeleteSecretRequest request, StreamObserver<DeleteSecretResponse> observer) {
        Secret deleted =
                secrets.delete(RequestFields.workspace(request.getWorkspace()), request.getPath(), request.getForce());
        Unary.answer(
                observer,
                DeleteSecretResponse.newBuilder()
                        .setSecret(SecretProtos.message(deleted))
                        .build());
    }

    private static NewSecret read(SetSecretRequest request) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        violations.require(
                ReferencePath.isValid(request.getPath()),
                "path",
                "\"" + request.getPath() + "\" (expected: " + ReferencePath.EXPECTED + ")");
        String description = request.getDescription();
        violations.require(
                description.length() <= DESCRIPTION_CHARS_MAX && description.indexOf('\0') < 0,
                "description",
                description.length() + " characters (expected: at most " + DESCRIPTION_CHARS_MAX
                        + ", none of them NUL)");
        Optional<StoreKind> store = SecretProtos.store(request.getStore());
        violations.require(store.isPresent(), "store", request.getStoreValue() + " (expected: local, folder or vault)");
        Optional<SecretValue> value = store.flatMap(kind -> value(request, kind, violations));
        violations.throwIfAny();
        return new NewSecret(
                workspace, request.getPath(), store.orElseThrow(), value, description, request.getCreateOnly());
    }

    private static Optional<SecretValue> value(SetSecretRequest request, StoreKind store, Violations violations) {
        if (store != StoreKind.LOCAL) {
            violations.require(
                    request.getValue().isEmpty(),
                    "value",
                    "is set, but the store " + store.text() + " holds the value: leave it out");
            return Optional.empty();
        }
        return RequestFields.text("value", request.getValue(), SecretValue.BYTES_MAX, violations)
                .flatMap(text -> {
                    SecretValue.problem(text).ifPresent(problem -> violations.add("value", problem));
                    return SecretValue.problem(text).isEmpty()
                            ? Optional.of(new SecretValue(text))
                            : Optional.<SecretValue>empty();
                });
    }
}
