package dev.millrace.e2e.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.login.Provider;
import dev.millrace.e2e.support.Answer;
import java.util.Map;

/** Calls each operation by which people, programs and jobs get tokens. Needs a user {@code ada}. */
final class LoginCalls {
    private static final String DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

    private LoginCalls() {}

    /** @param origin the address of the gateway, as browsers name it in their requests */
    static void callAll(Calls calls, Provider provider, String origin) {
        String token = calls.ok("createToken", "", Map.of("user", "ada", "name", "login"))
                .path("secret")
                .asText();
        programs(calls, token);
        sessions(calls, token, origin);
        jobs(calls, provider);
    }

    private static void programs(Calls calls, String token) {
        String[] ada = {"authorization", "Bearer " + token};
        JsonNode denied = begin(calls);
        assertThat(poll(calls, denied).body().path("error").asText()).isEqualTo("authorization_pending");
        calls.post("denyDevice", userCode(denied), ada).ok();
        assertThat(poll(calls, denied).body().path("error").asText()).isEqualTo("access_denied");

        JsonNode approved = begin(calls);
        assertThat(calls.post("approveDevice", userCode(approved), ada)
                        .ok()
                        .path("client_name")
                        .asText())
                .isEqualTo("every operation");
        assertThat(poll(calls, approved).ok().path("access_token").asText()).startsWith("mru_");
    }

    private static void sessions(Calls calls, String token, String origin) {
        Answer session = calls.post("createSession", Map.of("token", token));
        assertThat(session.ok().path("user").asText()).isEqualTo("ada");
        String cookie = session.headers().firstValue("set-cookie").orElse("").split(";", 2)[0];
        assertThat(cookie).startsWith("millrace-session=mrc_");

        Answer gone = calls.form("logOut", Map.of(), "cookie", cookie, "origin", origin);

        assertThat(gone.status()).isEqualTo(204);
        assertThat(gone.headers().firstValue("set-cookie").orElse("")).startsWith("millrace-session=;");
    }

    private static void jobs(Calls calls, Provider provider) {
        calls.ok("createServiceAccount", "", Map.of("name", "deployer"));
        calls.ok(
                "createTrust",
                "",
                Map.of(
                        "name",
                        "main",
                        "service_account",
                        "deployer",
                        "issuer",
                        provider.issuer(),
                        "audience",
                        Provider.AUDIENCE,
                        "claims",
                        Map.of("azp", "ci")));
        assertThat(calls.ok("listTrusts").path("items")).hasSize(1);
        Map<String, String> exchange = Map.of("grant_type", EXCHANGE, "subject_token", provider.jwt());
        assertThat(calls.form("issueToken", exchange).ok().path("access_token").asText())
                .startsWith("mrs_");
        calls.ok("deleteTrust", "main");
        assertThat(calls.form("issueToken", exchange).body().path("error").asText())
                .isEqualTo("invalid_grant");
    }

    private static JsonNode begin(Calls calls) {
        return calls.form("authorizeDevice", Map.of("client_name", "every operation"))
                .ok();
    }

    private static Map<String, String> userCode(JsonNode begun) {
        return Map.of("user_code", begun.path("user_code").asText());
    }

    private static Answer poll(Calls calls, JsonNode begun) {
        return calls.form(
                "issueToken",
                Map.of(
                        "grant_type",
                        DEVICE,
                        "device_code",
                        begun.path("device_code").asText()));
    }
}
