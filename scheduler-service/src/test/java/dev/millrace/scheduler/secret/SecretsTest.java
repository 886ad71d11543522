package dev.millrace.scheduler.secret;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.secret.v1.DeleteSecretRequest;
import dev.millrace.proto.secret.v1.ListSecretsRequest;
import dev.millrace.proto.secret.v1.Secret;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import dev.millrace.scheduler.testing.DatabaseText;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests over gRPC, on a real Postgres. */
class SecretsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private final SecretCalls calls = new SecretCalls(SCHEDULER.channel());

    @Test
    void keepsNoValueReadable() {
        String value = "correct horse battery staple";
        calls.set("dump/key", value);

        DatabaseText database = new DatabaseText(SCHEDULER.open());
        assertThat(database.tablesWith("dump/key")).contains("secret", "secret_version");
        assertThat(database.tablesWith(value)).isEmpty();
        assertThat(database.tablesWith("battery")).isEmpty();
    }

    @Test
    void protectsTheKeyByTheFilesPermissions() throws Exception {
        calls.set("mode/key", "correct horse");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                        SCHEDULER.database().keys().resolve("0001.key"))))
                .isEqualTo("rw-------");
    }

    @Test
    void listsVersionsWithoutValues() {
        calls.set("versions/key", "the first value");
        Secret second = calls.set("versions/key", "the second value");

        assertThat(second.getVersion()).isEqualTo(2);
        assertThat(second.getVersionsList())
                .extracting(version -> version.getVersion())
                .containsExactly(2L, 1L);
        assertThat(calls.secrets()
                        .listSecrets(ListSecretsRequest.getDefaultInstance())
                        .getSecretsList())
                .filteredOn(secret -> secret.getPath().equals("versions/key"))
                .containsExactly(second);
    }

    @Test
    void goesOnWithTheVersionsOfASecretThatWasDeleted() {
        calls.set("again/key", "the first value");
        calls.set("again/key", "the second value");
        var _ = delete("again/key", false);

        Secret again = calls.set("again/key", "the third value");

        assertThat(again.getVersion()).isEqualTo(3);
        assertThat(again.getVersionsList()).hasSize(1);
        assertThat(calls.set("again/key", "the fourth value").getVersion()).isEqualTo(4);
    }

    @Test
    void rejectsValuesThatCannotBeMaskedOrAreTooLarge() {
        assertThatThrownBy(() -> calls.set("bad/key", "short"))
                .hasMessageContaining("value: has 5 characters (expected: at least 8")
                .hasMessageNotContaining("short,");
        assertThatThrownBy(() -> calls.set("bad/key", "x".repeat((64 << 10) + 1)))
                .hasMessageContaining("65537 bytes");
        assertThatThrownBy(() -> calls.set("bad/key.txt", "long enough")).hasMessageContaining("path:");
        assertThatThrownBy(() -> calls.set("../key", "long enough")).hasMessageContaining("path:");
    }

    @Test
    void createsNoSecretTwiceIfAskedTo() {
        calls.set("once/key", "long enough");

        StatusRuntimeException refusal = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> calls.secrets()
                        .setSecret(SetSecretRequest.newBuilder()
                                .setPath("once/key")
                                .setValue(ByteString.copyFromUtf8("another value"))
                                .setCreateOnly(true)
                                .build()));

        assertThat(reason(refusal)).isEqualTo("NAME_TAKEN");
    }

    @Test
    void deletesNoSecretThatIsUsed() {
        calls.set("used/key", "long enough");
        calls.set("used/other", "long enough");
        calls.deploy("used/flow", "h", "{key: '${{ secrets.used.key }}'}");
        calls.put("used/db", "{\"password\": \"${{ secrets.used.other }}\"}");

        assertThatThrownBy(() -> delete("used/key", false)).hasMessageContaining("is used by the flow used/flow");
        assertThatThrownBy(() -> delete("used/other", false)).hasMessageContaining("is used by the resource used/db");
        assertThat(delete("used/key", true).getUsedByList()).containsExactly("used/flow");
        assertThat(reason(catchThrowableOfType(StatusRuntimeException.class, () -> delete("used/key", true))))
                .isEqualTo("SECRET_NOT_FOUND");
    }

    @Test
    void deletesNoTypeThatResourcesHave() {
        calls.putType("point");
        calls.put("shop/corner", "{}", "point");

        StatusRuntimeException refusal =
                catchThrowableOfType(StatusRuntimeException.class, () -> calls.deleteType("point"));

        assertThat(reason(refusal)).isEqualTo("IN_USE");
        assertThat(refusal).hasMessageContaining("type of the resource shop/corner.");
        calls.put("shop/corner", "{}", "");
        assertThat(calls.deleteType("point").getName()).isEqualTo("point");
        assertThat(reason(catchThrowableOfType(StatusRuntimeException.class, () -> calls.deleteType("point"))))
                .isEqualTo("RESOURCE_TYPE_NOT_FOUND");
        assertThat(reason(catchThrowableOfType(
                        StatusRuntimeException.class, () -> calls.put("shop/corner", "{}", "point"))))
                .isEqualTo("RESOURCE_TYPE_NOT_FOUND");
    }

    @Test
    void refusesStoresThatTheServerDoesNotHave() {
        assertThatThrownBy(() -> calls.register("vault/key", Secret.Store.STORE_VAULT))
                .hasMessageContaining("millrace.secrets.vault.address");
    }

    private Secret delete(String path, boolean force) {
        return calls.secrets()
                .deleteSecret(DeleteSecretRequest.newBuilder()
                        .setPath(path)
                        .setForce(force)
                        .build())
                .getSecret();
    }
}
