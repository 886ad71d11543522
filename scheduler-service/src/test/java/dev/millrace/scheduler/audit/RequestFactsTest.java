package dev.millrace.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.access.v1.Scope;
import dev.millrace.proto.alert.v1.Alert;
import dev.millrace.proto.alert.v1.PutAlertRequest;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.identity.v1.CreateServiceAccountTokenRequest;
import dev.millrace.proto.identity.v1.CreateSharedTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateUserRequest;
import dev.millrace.proto.identity.v1.GrantRoleRequest;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.UseWaitLinkRequest;
import dev.millrace.proto.worker.v1.DrainWorkerRequest;
import dev.millrace.proto.worker.v1.ReadSecretRequest;
import dev.millrace.scheduler.queue.core.Workspace;
import org.junit.jupiter.api.Test;

class RequestFactsTest {
    private static final String SECRET = "hunter2hunter2";

    @Test
    void keepWhatSaysWhatWasGranted() {
        GrantRoleRequest request = GrantRoleRequest.newBuilder()
                .setWorkspace("acme")
                .setFolder("shop")
                .setSubject("user:ada")
                .setRole(Role.ROLE_ADMIN)
                .build();

        assertThat(facts(request, Scope.SCOPE_WORKSPACE).workspace(request)).contains(Workspace.of("acme"));
        assertThat(facts(request, Scope.SCOPE_WORKSPACE).subject(request)).isEqualTo("user:ada");
        assertThat(detail(request))
                .contains("\"folder\":\"shop\"", "\"role\":\"ROLE_ADMIN\"")
                .doesNotContain("acme");
    }

    @Test
    void findWhatIsNamedInAMessage() {
        PutAlertRequest alert = PutAlertRequest.newBuilder()
                .setAlert(Alert.newBuilder().setName("pager").setPath("shop/pay"))
                .build();
        DrainWorkerRequest drain =
                DrainWorkerRequest.newBuilder().setSessionId("1234").build();

        assertThat(facts(alert, Scope.SCOPE_WORKSPACE).subject(alert)).isEqualTo("pager");
        assertThat(facts(drain, Scope.SCOPE_INSTANCE).subject(drain)).isEqualTo("1234");
    }

    @Test
    void keepRestrictionsOfTokens() {
        CreateServiceAccountTokenRequest request = CreateServiceAccountTokenRequest.newBuilder()
                .setServiceAccount("ci")
                .setToken(CreateTokenRequest.newBuilder()
                        .setName("nightly")
                        .setValidFor(Duration.newBuilder().setSeconds(3_600))
                        .setRestrictions(TokenRestrictions.newBuilder().addFolders("shop")))
                .build();

        assertThat(detail(request)).contains("\"nightly\"", "\"PT1H\"", "\"folders\":[\"shop\"]");
    }

    @Test
    void keepNoTokensOfLeases() {
        ReadSecretRequest request = ReadSecretRequest.newBuilder()
                .setPath("shop/key")
                .setLeaseToken(4_711)
                .build();

        assertThat(detail(request)).contains("shop/key").doesNotContain("lease_token", "4711");
    }

    @Test
    void keepNoPayloadsAndNoTokens() {
        Message[] requests = {
            AnswerWaitRequest.newBuilder()
                    .setPayload(ByteString.copyFromUtf8(SECRET))
                    .build(),
            UseWaitLinkRequest.newBuilder().setToken(SECRET).build(),
            DeployFlowRequest.newBuilder()
                    .setDefinition(ByteString.copyFromUtf8(SECRET))
                    .build()
        };

        for (Message request : requests) {
            assertThat(detail(request)).doesNotContain(SECRET);
        }
    }

    @Test
    void keepWhomACallerNamesOnlyIfItMayActAsOthers() {
        CancelRunRequest request = CancelRunRequest.newBuilder()
                .setNote(OperationNote.newBuilder().setActor("boss").setReason("too slow"))
                .build();
        RequestFacts facts = facts(request, Scope.SCOPE_RUN);

        assertThat(facts.detail(request, true).json()).contains("boss", "too slow");
        assertThat(facts.detail(request, false).json()).doesNotContain("boss").contains("too slow");
    }

    @Test
    void meanTheDefaultWorkspaceOnlyWhereARuleNeedsOne() {
        CancelRunRequest run = CancelRunRequest.getDefaultInstance();
        CreateUserRequest user = CreateUserRequest.getDefaultInstance();
        CancelRunRequest impossible =
                CancelRunRequest.newBuilder().setWorkspace("No Name").build();

        assertThat(facts(run, Scope.SCOPE_RUN).workspace(run)).contains(Workspace.DEFAULT);
        assertThat(facts(user, Scope.SCOPE_INSTANCE).workspace(user)).isEmpty();
        assertThat(facts(impossible, Scope.SCOPE_RUN).workspace(impossible)).isEmpty();
    }

    @Test
    void staySmall() {
        GrantRoleRequest.Builder request = GrantRoleRequest.newBuilder();
        request.setSubject("x\0y" + "z".repeat(100_000)).setFolder("f".repeat(100_000));
        CreateSharedTokenRequest.Builder token = CreateSharedTokenRequest.newBuilder();
        for (int tag = 0; tag < 100; tag++) {
            token.addTags("t".repeat(1_000));
        }

        assertThat(facts(request.build(), Scope.SCOPE_WORKSPACE).subject(request.build()))
                .hasSize(AuditDetail.TEXT_LENGTH_MAX)
                .doesNotContain("\0");
        assertThat(detail(token.build())).hasSizeLessThan(AuditDetail.BYTES_MAX).contains("\"cut\":true");
    }

    private static RequestFacts facts(Message request, Scope scope) {
        return new RequestFacts(request.getDescriptorForType(), scope);
    }

    private static String detail(Message request) {
        return facts(request, Scope.SCOPE_WORKSPACE).detail(request, false).json();
    }
}
