package dev.millrace.scheduler.secret;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.secret.v1.ListSecretsRequest;
import dev.millrace.proto.secret.v1.Secret;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests whose flows may use which secrets, on a scheduler that wants tokens of everybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretRightsTest {
    private static final String OF_BILLING = "{key: '${{ secrets.billing.key }}'}";

    private final RunningScheduler scheduler;
    private final IdentityCalls identity;
    private final SecretCalls owner;

    SecretRightsTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        identity = new IdentityCalls(scheduler, ownerToken);
        owner = new SecretCalls(identity.with(identity.owner()));
    }

    @BeforeAll
    void setSecrets() {
        owner.set("shop/key", "value of the shop");
        owner.set("billing/key", "value of billing");
        owner.set("everybody", "value of everybody");
        owner.put("billing/db", "{\"pw\": \"${{ secrets.billing.key }}\"}");
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void aFlowUsesTheSecretsOfItsFolderAndOfNone() {
        SecretCalls shop = developerOf("shop");

        assertThat(shop.deploy("shop/own", "h", "{a: '${{ secrets.shop.key }}', b: '${{ secrets.everybody }}'}")
                        .getHash())
                .isNotEmpty();
    }

    @Test
    void aFlowUsesSecretsOfAnotherFolderOnlyIfItsDeployerIsADeveloperThere() {
        for (String input : new String[] {OF_BILLING, "{key: '${{ resources.billing.db }}'}"}) {
            StatusRuntimeException refusal = refusal(() -> developerOf("shop").deploy("shop/foreign", "h", input));

            assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
            assertThat(refusal).hasMessageContaining("has not the role developer in folder billing");
        }
        assertThat(owner.deploy("shop/allowed", "h", OF_BILLING).getHash()).isNotEmpty();
    }

    @Test
    void aResourceBorrowsNoSecretOfAnotherFolder() {
        StatusRuntimeException refusal =
                refusal(() -> developerOf("shop").put("shop/db", "[\"${{ secrets.billing.key }}\"]"));

        assertThat(code(refusal)).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aVersionRunsByItsHashOnlyForDevelopersOfItsSecrets() {
        String hash = owner.deploy("shop/by-hash", "h", OF_BILLING).getHash();
        String token = identity.user("default", "", Role.ROLE_DEVELOPER);
        assertThat(submit(token, hash)).isNotEmpty();
        // The name in the definition has no folder, so a developer of one folder cannot run it anyway.
        String shop = identity.user("default", "shop", Role.ROLE_DEVELOPER);
        assertThat(code(refusal(() -> submit(shop, hash)))).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void onlyDevelopersOfTheFolderSetItsSecrets() {
        SecretCalls runner = new SecretCalls(identity.with(identity.user("default", "shop", Role.ROLE_RUNNER)));

        assertThat(code(refusal(() -> runner.set("shop/key", "value of a runner"))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(code(refusal(() -> developerOf("shop").set("billing/key", "value of the shop"))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(code(refusal(() -> developerOf("shop").set("everybody", "value of the shop"))))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void listsOnlySecretsOfFoldersThatTheCallerSees() {
        assertThat(developerOf("shop")
                        .secrets()
                        .listSecrets(ListSecretsRequest.getDefaultInstance())
                        .getSecretsList())
                .extracting(Secret::getPath)
                .containsExactly("shop/key");
    }

    private SecretCalls developerOf(String folder) {
        return new SecretCalls(identity.with(identity.user("default", folder, Role.ROLE_DEVELOPER)));
    }

    private String submit(String token, String hash) {
        return RunServiceGrpc.newBlockingStub(identity.with(token))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowHash(hash)))
                        .build())
                .getRun()
                .getId();
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call was allowed").isNotNull();
        return refusal;
    }
}
