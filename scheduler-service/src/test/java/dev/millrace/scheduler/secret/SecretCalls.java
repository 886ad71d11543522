package dev.millrace.scheduler.secret;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.Flow;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.secret.v1.DeleteResourceTypeRequest;
import dev.millrace.proto.secret.v1.KeyServiceGrpc;
import dev.millrace.proto.secret.v1.PutResourceRequest;
import dev.millrace.proto.secret.v1.PutResourceTypeRequest;
import dev.millrace.proto.secret.v1.Resource;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.proto.secret.v1.ResourceType;
import dev.millrace.proto.secret.v1.Secret;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import io.grpc.Channel;

/** Calls of tests about secrets. */
public record SecretCalls(Channel channel) {
    public SecretServiceGrpc.SecretServiceBlockingStub secrets() {
        return SecretServiceGrpc.newBlockingStub(channel);
    }

    public KeyServiceGrpc.KeyServiceBlockingStub keys() {
        return KeyServiceGrpc.newBlockingStub(channel);
    }

    public ResourceServiceGrpc.ResourceServiceBlockingStub resources() {
        return ResourceServiceGrpc.newBlockingStub(channel);
    }

    public Secret set(String path, String value) {
        return secrets()
                .setSecret(SetSecretRequest.newBuilder()
                        .setPath(path)
                        .setValue(ByteString.copyFromUtf8(value))
                        .build())
                .getSecret();
    }

    /** Registers a secret whose value lies elsewhere. */
    public Secret register(String path, Secret.Store store) {
        return secrets()
                .setSecret(SetSecretRequest.newBuilder()
                        .setPath(path)
                        .setStore(store)
                        .build())
                .getSecret();
    }

    public Resource put(String path, String json) {
        return put(path, json, "");
    }

    /** Writes a resource with this type; empty for none. */
    Resource put(String path, String json, String type) {
        return resources()
                .putResource(PutResourceRequest.newBuilder()
                        .setPath(path)
                        .setType(type)
                        .setValue(ByteString.copyFromUtf8(json))
                        .build())
                .getResource();
    }

    /** Writes a type that all values fit. */
    void putType(String name) {
        var _ = resources()
                .putResourceType(PutResourceTypeRequest.newBuilder()
                        .setType(ResourceType.newBuilder().setName(name).setSchema(ByteString.copyFromUtf8("{}")))
                        .build());
    }

    ResourceType deleteType(String name) {
        return resources()
                .deleteResourceType(
                        DeleteResourceTypeRequest.newBuilder().setName(name).build())
                .getType();
    }

    /** Deploys a flow with one step, a handler. */
    public Flow deploy(String path, String handler, String input) {
        return FlowServiceGrpc.newBlockingStub(channel)
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath(path)
                        .setFileName("f.yaml")
                        .setDefinition(ByteString.copyFromUtf8(
                                "{millrace: v1, name: x, inputs: {x: {type: any, default: 0}}, steps: [{id: a, handler: "
                                        + handler + ", input: " + input + "}]}"))
                        .build())
                .getFlow();
    }
}
