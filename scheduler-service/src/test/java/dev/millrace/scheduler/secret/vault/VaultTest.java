package dev.millrace.scheduler.secret.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.config.VaultConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.core.StoreKind;
import dev.millrace.scheduler.secret.external.ExternalValues;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests against a server that answers as Vault does. */
class VaultTest {
    private static final byte[] PLACE = {1, 2, 3};

    private final SmallVault vault;
    private final Path tokenFile;
    private final VaultClient client;

    VaultTest(@TempDir Path folder) throws IOException {
        vault = new SmallVault();
        tokenFile = folder.resolve("token");
        client = new VaultClient(config(vault.address(), tokenFile));
    }

    @BeforeEach
    void writeToken() throws IOException {
        Files.writeString(tokenFile, SmallVault.TOKEN + "\n");
    }

    @AfterEach
    void stop() {
        client.close();
        vault.close();
    }

    @Test
    void readsFieldsOfEntriesBelowTheWorkspace() {
        VaultSecrets secrets = new VaultSecrets(client);
        vault.put("millrace/default/shop", Map.of("api_key", "value of the shop", "port", 5432));
        vault.put("millrace/default", Map.of("top", "value without folder"));

        assertThat(secrets.find(Workspace.DEFAULT, "shop/api_key")).contains("value of the shop");
        assertThat(secrets.find(Workspace.DEFAULT, "top")).contains("value without folder");
        assertThat(secrets.find(Workspace.DEFAULT, "shop/port")).isEmpty();
        assertThat(secrets.find(Workspace.DEFAULT, "shop/nothing")).isEmpty();
        assertThat(secrets.find(Workspace.of("other"), "shop/api_key")).isEmpty();
    }

    @Test
    void remembersValuesAndNoFailures() {
        ExternalValues values = new ExternalValues(Map.of(StoreKind.VAULT, new VaultSecrets(client)));
        vault.put("millrace/default/shop", Map.of("api_key", "value of the shop"));
        vault.fail(503);
        assertThatThrownBy(() -> values.find(StoreKind.VAULT, Workspace.DEFAULT, "shop/api_key"))
                .isInstanceOfSatisfying(
                        MillraceException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.SECRET_STORE_UNAVAILABLE))
                .hasMessageContaining("503")
                .hasMessageContaining("Vault is sealed");
        vault.fail(0);

        for (int i = 0; i < 3; i++) {
            assertThat(values.find(StoreKind.VAULT, Workspace.DEFAULT, "shop/api_key"))
                    .contains("value of the shop");
        }
        assertThat(vault.reads()).isEqualTo(1);
        values.forget(StoreKind.VAULT, Workspace.DEFAULT, "shop/api_key");
        assertThat(values.find(StoreKind.VAULT, Workspace.DEFAULT, "shop/api_key"))
                .isPresent();
        assertThat(vault.reads()).isEqualTo(2);
    }

    @Test
    void readsARenewedToken() throws IOException {
        VaultSecrets secrets = new VaultSecrets(client);
        vault.put("millrace/default", Map.of("top", "value without folder"));
        Files.writeString(tokenFile, "expired");
        assertThatThrownBy(() -> secrets.find(Workspace.DEFAULT, "top")).hasMessageContaining("permission denied");
        writeToken();

        assertThat(secrets.find(Workspace.DEFAULT, "top")).isPresent();
    }

    @Test
    void wrapsWithATransitKeyForOnePlace() throws GeneralSecurityException {
        vault.addKey("millrace");
        VaultTransit transit = new VaultTransit(client, "millrace");
        byte[] sealed = transit.encrypt(new byte[] {7}, PLACE);

        assertThat(transit.decrypt(sealed, PLACE)).containsExactly(7);
        assertThatThrownBy(() -> transit.decrypt(sealed, new byte[] {9})).hasMessageContaining("400");
        assertThatThrownBy(() -> new VaultTransit(client, "unknown").encrypt(new byte[] {7}, PLACE))
                .hasMessageContaining("encryption key not found");
    }

    @Test
    void sendsNoTokenInPlainTextAcrossANetwork() {
        assertThatThrownBy(() -> config(URI.create("http://vault.example:8200"), tokenFile))
                .hasMessageContaining("an https URL");
    }

    static VaultConfig config(URI address, Path tokenFile) {
        return new VaultConfig(address, tokenFile, "", "secret", "millrace", "transit", Optional.of("millrace"));
    }
}
