package dev.millrace.e2e.login;

import dev.millrace.e2e.support.FormBrowser;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.ClusterPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A real Keycloak with the realm of {@code scheduler-service/src/test/resources/keycloak/millrace-realm.json}. */
final class Keycloak implements Provider {
    private final String issuer;

    Keycloak(String address) {
        this.issuer = address + "/realms/millrace";
    }

    @Override
    public String issuer() {
        return issuer;
    }

    @Override
    public ClusterPlan addTo(ClusterPlan plan) {
        return plan.with("millrace.oidc.issuer", issuer)
                .with("millrace.oidc.client-id", "millrace")
                .with("millrace.oidc.client-secret-file", secretFile().toString())
                .with("millrace.oidc.exchange-issuers", issuer);
    }

    @Override
    public Map<String, String> form(String user) {
        return Map.of("username", user, "password", "password-of-" + user);
    }

    @Override
    public String jwt() {
        FormBrowser.Page answer = new FormBrowser()
                .post(
                        URI.create(issuer + "/protocol/openid-connect/token"),
                        Map.of("grant_type", "client_credentials", "client_id", "ci", "client_secret", "secret-of-ci"));
        return Json.parse(answer.body()).path("access_token").asText();
    }

    @Override
    public void close() {}

    private static Path secretFile() {
        try {
            Path file = Files.createTempFile("millrace-oidc-", ".secret");
            file.toFile().deleteOnExit();
            return Files.writeString(file, "secret-of-millrace\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
