package dev.millrace.e2e.login;

import dev.millrace.harness.ClusterPlan;
import java.util.Map;

/** An OpenID Connect provider that others have written. Its users are {@code ada} and {@code bob}, of group builders. */
public interface Provider extends AutoCloseable {
    /** Audience of the JWTs of the client {@code ci}. */
    String AUDIENCE = "https://millrace.example";

    /** Starts a mock, or takes the Keycloak that {@code .ci/nightly-keycloak} has started. */
    static Provider start() {
        String keycloak = System.getProperty("millrace.test.keycloak", "");
        return keycloak.isEmpty() ? MockProvider.start() : new Keycloak(keycloak);
    }

    String issuer();

    /** The plan with this provider for the logins of people, and for the JWTs of jobs. */
    ClusterPlan addTo(ClusterPlan plan);

    /** What a user enters into the provider's form. */
    Map<String, String> form(String user);

    /** A JWT of the client {@code ci}, whose claim {@code azp} names the client. */
    String jwt();

    @Override
    void close();
}
