package dev.millrace.scheduler.secret;

import dev.millrace.proto.secret.v1.EncryptionKey;
import dev.millrace.proto.secret.v1.KeyServiceGrpc;
import dev.millrace.proto.secret.v1.ListKeysRequest;
import dev.millrace.proto.secret.v1.ListKeysResponse;
import dev.millrace.proto.secret.v1.RotateKeysRequest;
import dev.millrace.proto.secret.v1.RotateKeysResponse;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.secret.key.Keys;
import io.grpc.stub.StreamObserver;

/** gRPC service for the keys of secrets. */
public final class KeyGrpcService extends KeyServiceGrpc.KeyServiceImplBase {
    private final Keys keys;

    public KeyGrpcService(Keys keys) {
        this.keys = keys;
    }

    @Override
    public void listKeys(ListKeysRequest request, StreamObserver<ListKeysResponse> observer) {
        Unary.answer(
                observer,
                ListKeysResponse.newBuilder()
                        .addAllKeys(keys.list().stream()
                                .map(KeyGrpcService::message)
                                .toList())
                        .setValuesWaiting(keys.countWaiting())
                        .build());
    }

    @Override
    public void rotateKeys(RotateKeysRequest request, StreamObserver<RotateKeysResponse> observer) {
        Keys.Rotated rotated = keys.rotate(request.getData());
        Unary.answer(
                observer,
                RotateKeysResponse.newBuilder()
                        .setKeyId(rotated.key())
                        .setWorkspaces(rotated.workspaces())
                        .setValuesWaiting(keys.countWaiting())
                        .build());
    }

    private static EncryptionKey message(Keys.KeyInUse key) {
        EncryptionKey.Builder message = EncryptionKey.newBuilder()
                .setId(key.id())
                .setCurrent(key.isCurrent())
                .setAvailable(key.isAvailable())
                .setWorkspaces(key.workspaces());
        key.since().map(TimeProtos::timestamp).ifPresent(message::setCreatedAt);
        return message.build();
    }
}
