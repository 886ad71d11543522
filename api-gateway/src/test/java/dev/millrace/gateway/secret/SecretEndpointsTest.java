package dev.millrace.gateway.secret;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.secret.v1.DeleteResourceRequest;
import dev.millrace.proto.secret.v1.DeleteResourceResponse;
import dev.millrace.proto.secret.v1.DeleteResourceTypeRequest;
import dev.millrace.proto.secret.v1.DeleteResourceTypeResponse;
import dev.millrace.proto.secret.v1.DeleteSecretRequest;
import dev.millrace.proto.secret.v1.DeleteSecretResponse;
import dev.millrace.proto.secret.v1.EncryptionKey;
import dev.millrace.proto.secret.v1.GetResourceResponse;
import dev.millrace.proto.secret.v1.KeyServiceGrpc;
import dev.millrace.proto.secret.v1.ListKeysResponse;
import dev.millrace.proto.secret.v1.ListResourceTypesResponse;
import dev.millrace.proto.secret.v1.ListResourcesResponse;
import dev.millrace.proto.secret.v1.ListSecretsResponse;
import dev.millrace.proto.secret.v1.PutResourceRequest;
import dev.millrace.proto.secret.v1.PutResourceResponse;
import dev.millrace.proto.secret.v1.PutResourceTypeRequest;
import dev.millrace.proto.secret.v1.PutResourceTypeResponse;
import dev.millrace.proto.secret.v1.Resource;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.proto.secret.v1.ResourceType;
import dev.millrace.proto.secret.v1.RotateKeysRequest;
import dev.millrace.proto.secret.v1.RotateKeysResponse;
import dev.millrace.proto.secret.v1.Secret;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.secret.v1.SecretVersion;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import dev.millrace.proto.secret.v1.SetSecretResponse;
import org.junit.jupiter.api.Test;

class SecretEndpointsTest extends GatewayTest {

    private static final String SECRETS = "/api/v1/workspaces/team-a/secrets";
    private static final String RESOURCES = "/api/v1/workspaces/team-a/resources";
    private static final Secret SECRET = Secret.newBuilder()
            .setPath("shop/api_key")
            .setStore(Secret.Store.STORE_LOCAL)
            .setVersion(2)
            .addVersions(SecretVersion.newBuilder()
                    .setVersion(2)
                    .setCreatedBy("ada")
                    .setCreatedAt(Timestamp.newBuilder().setSeconds(1_800_000_000)))
            .addUsedBy("shop/pay")
            .build();
    private static final Resource RESOURCE = Resource.newBuilder()
            .setPath("shop/db")
            .setType("postgres")
            .setValue(ByteString.copyFromUtf8("{\"port\": 5432.0}"))
            .build();

    @Test
    void writesListsAndDeletesSecretsWithoutShowingThem() {
        scheduler.canned.answer(
                SecretServiceGrpc.getSetSecretMethod(),
                SetSecretResponse.newBuilder().setSecret(SECRET).build());
        scheduler.canned.answer(
                SecretServiceGrpc.getListSecretsMethod(),
                ListSecretsResponse.newBuilder().addSecrets(SECRET).build());
        scheduler.canned.answer(
                SecretServiceGrpc.getDeleteSecretMethod(),
                DeleteSecretResponse.newBuilder().setSecret(SECRET).build());

        var set = put(SECRETS + "/shop/api_key", """
                {"value": "hunter2-✓", "store": "local", "description": "d", "create_only": true}""");
        assertThat(json(set).path("version").asInt()).isEqualTo(2);
        assertThat(set.body()).doesNotContain("hunter2");
        var listed = json(get(SECRETS)).path("items").path(0);
        assertThat(listed.path("store").asText()).isEqualTo("local");
        assertThat(listed.path("versions").path(0).path("created_by").asText()).isEqualTo("ada");
        delete(SECRETS + "/shop/api_key?force=true");

        assertThat(scheduler.requests)
                .contains(
                        SetSecretRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setPath("shop/api_key")
                                .setStore(Secret.Store.STORE_LOCAL)
                                .setValue(ByteString.copyFromUtf8("hunter2-✓"))
                                .setDescription("d")
                                .setCreateOnly(true)
                                .build(),
                        DeleteSecretRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setPath("shop/api_key")
                                .setForce(true)
                                .build());
    }

    @Test
    void hasNoAddressThatShowsASecret() {
        problem(get(SECRETS + "/shop/api_key"), 405, "method_not_allowed");
    }

    @Test
    void repeatsNoValueInAProblem() {
        var refused = put(SECRETS + "/shop/api_key", "{\"value\": {\"inner\": \"hunter2\"}}");

        assertThat(problem(refused, 400, "invalid_argument").toString()).doesNotContain("hunter2");
        assertThat(put(SECRETS + "/shop/api_key", "{\"value\": \"hunter2\", \"store\": \"odd\"}")
                        .body())
                .doesNotContain("hunter2");
        assertThat(put(SECRETS + "/shop/api_key", "{\"value\": \"hunter2").body())
                .doesNotContain("hunter2");
    }

    @Test
    void writesShowsListsAndDeletesResources() {
        scheduler.canned.answer(
                ResourceServiceGrpc.getPutResourceMethod(),
                PutResourceResponse.newBuilder().setResource(RESOURCE).build());
        scheduler.canned.answer(
                ResourceServiceGrpc.getGetResourceMethod(),
                GetResourceResponse.newBuilder().setResource(RESOURCE).build());
        scheduler.canned.answer(
                ResourceServiceGrpc.getListResourcesMethod(),
                ListResourcesResponse.newBuilder()
                        .addResources(RESOURCE.toBuilder().clearValue())
                        .build());
        scheduler.canned.answer(
                ResourceServiceGrpc.getDeleteResourceMethod(),
                DeleteResourceResponse.newBuilder().setResource(RESOURCE).build());

        put(RESOURCES + "/shop/db", "{\"type\": \"postgres\", \"value\": {\"port\": 5432.0}}");
        assertThat(get(RESOURCES + "/shop/db").body()).contains("{\"port\": 5432.0}");
        assertThat(json(get(RESOURCES)).path("items").path(0).has("value")).isFalse();
        delete(RESOURCES + "/shop/db");

        assertThat(scheduler.requests)
                .contains(
                        PutResourceRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setPath("shop/db")
                                .setType("postgres")
                                .setValue(ByteString.copyFromUtf8("{\"port\": 5432.0}"))
                                .build(),
                        DeleteResourceRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setPath("shop/db")
                                .build());
    }

    @Test
    void writesListsAndDeletesTypesOfResources() {
        var type = ResourceType.newBuilder()
                .setName("postgres")
                .setSchema(ByteString.copyFromUtf8("{\"type\":\"object\"}"))
                .build();
        scheduler.canned.answer(
                ResourceServiceGrpc.getPutResourceTypeMethod(),
                PutResourceTypeResponse.newBuilder().setType(type).build());
        scheduler.canned.answer(
                ResourceServiceGrpc.getListResourceTypesMethod(),
                ListResourceTypesResponse.newBuilder().addTypes(type).build());

        scheduler.canned.answer(
                ResourceServiceGrpc.getDeleteResourceTypeMethod(),
                DeleteResourceTypeResponse.newBuilder().setType(type).build());

        put("/api/v1/resource-types/postgres", "{\"schema\": {\"type\":\"object\"}}");
        delete("/api/v1/workspaces/team-a/resource-types/postgres");
        assertThat(json(get("/api/v1/resource-types"))
                        .path("items")
                        .path(0)
                        .path("schema")
                        .path("type")
                        .asText())
                .isEqualTo("object");

        assertThat(scheduler.requests)
                .contains(
                        PutResourceTypeRequest.newBuilder().setType(type).build(),
                        DeleteResourceTypeRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setName("postgres")
                                .build());
    }

    @Test
    void listsAndRotatesKeys() {
        scheduler.canned.answer(
                KeyServiceGrpc.getListKeysMethod(),
                ListKeysResponse.newBuilder()
                        .addKeys(EncryptionKey.newBuilder()
                                .setId("2026")
                                .setCurrent(true)
                                .setWorkspaces(3))
                        .setValuesWaiting(5)
                        .build());
        scheduler.canned.answer(
                KeyServiceGrpc.getRotateKeysMethod(),
                RotateKeysResponse.newBuilder()
                        .setKeyId("2026")
                        .setWorkspaces(3)
                        .build());

        var keys = json(get("/api/v1/keys"));
        assertThat(keys.path("items").path(0).path("current").asBoolean()).isTrue();
        assertThat(keys.path("values_waiting").asInt()).isEqualTo(5);
        assertThat(json(post("/api/v1/keys:rotate", "{\"data\": true}"))
                        .path("key_id")
                        .asText())
                .isEqualTo("2026");

        assertThat(scheduler.requests)
                .contains(RotateKeysRequest.newBuilder().setData(true).build());
    }
}
