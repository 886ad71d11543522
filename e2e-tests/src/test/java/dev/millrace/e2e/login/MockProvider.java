package dev.millrace.e2e.login;

import dev.millrace.harness.ClusterPlan;
import java.util.List;
import java.util.Map;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;

/** The provider {@code mock-oauth2-server}, in the process of the test. It believes every name. */
public final class MockProvider implements Provider {
    private static final String ISSUER = "millrace";
    private static final long VALID_SECONDS = 300;
    private static final String CONFIG = "{\"interactiveLogin\": true}";

    private final MockOAuth2Server server = new MockOAuth2Server(OAuth2Config.Companion.fromJson(CONFIG));

    private MockProvider() {}

    public static MockProvider start() {
        MockProvider provider = new MockProvider();
        provider.server.start();
        return provider;
    }

    @Override
    public String issuer() {
        return server.issuerUrl(ISSUER).toString();
    }

    @Override
    public ClusterPlan addTo(ClusterPlan plan) {
        return plan.with("millrace.oidc.issuer", issuer())
                .with("millrace.oidc.client-id", "millrace")
                .with("millrace.oidc.exchange-issuers", issuer());
    }

    @Override
    public Map<String, String> form(String user) {
        return Map.of(
                "username", user, "claims", "{\"preferred_username\": \"" + user + "\", \"groups\": [\"builders\"]}");
    }

    @Override
    public String jwt() {
        return server.issueToken(
                        ISSUER,
                        "ci",
                        new DefaultOAuth2TokenCallback(
                                ISSUER, "subject-of-ci", "JWT", List.of(AUDIENCE), Map.of(), VALID_SECONDS))
                .serialize();
    }

    @Override
    public void close() {
        server.shutdown();
    }
}
