package dev.millrace.scheduler.resource;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.secret.v1.GetResourceRequest;
import dev.millrace.proto.secret.v1.ListResourceTypesRequest;
import dev.millrace.proto.secret.v1.ListResourcesRequest;
import dev.millrace.proto.secret.v1.PutResourceTypeRequest;
import dev.millrace.proto.secret.v1.Resource;
import dev.millrace.proto.secret.v1.ResourceType;
import dev.millrace.scheduler.secret.SecretCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests over gRPC, on a real Postgres. */
class ResourcesTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final int SCHEMA_CHARS = 60_000;

    private final SecretCalls calls = new SecretCalls(SCHEDULER.channel());

    @Test
    void listsPathsWithoutValues() {
        calls.put("shop/db", "{\"host\": \"h\"}");

        assertThat(calls.resources()
                        .listResources(ListResourcesRequest.getDefaultInstance())
                        .getResourcesList())
                .singleElement()
                .satisfies(resource -> {
                    assertThat(resource.getPath()).isEqualTo("shop/db");
                    assertThat(resource.getValue()).isEqualTo(ByteString.EMPTY);
                });
        assertThat(calls.resources()
                        .getResource(GetResourceRequest.newBuilder()
                                .setPath("shop/db")
                                .build())
                        .getResource())
                .extracting(Resource::getValue)
                .isEqualTo(ByteString.copyFromUtf8("{\"host\": \"h\"}"));
    }

    @Test
    void typesAreLimitedTogether() {
        int fitting = (2 << 20) / SCHEMA_CHARS;
        for (int type = 0; type < fitting; type++) {
            putType("t" + type);
        }

        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, () -> putType("more"));

        assertThat(reason(refusal)).isEqualTo("TOO_MANY");
        assertThat(refusal).hasMessageContaining("2097152 bytes together");
        putType("t0");
        assertThat(calls.resources()
                        .listResourceTypes(ListResourceTypesRequest.getDefaultInstance())
                        .getTypesList())
                .hasSize(fitting);
    }

    private void putType(String name) {
        String schema = "{\"description\": \"" + "x".repeat(SCHEMA_CHARS) + "\"}";
        var _ = calls.resources()
                .putResourceType(PutResourceTypeRequest.newBuilder()
                        .setType(ResourceType.newBuilder().setName(name).setSchema(ByteString.copyFromUtf8(schema)))
                        .build());
    }
}
