package dev.millrace.cli.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.context.Context;
import dev.millrace.cli.context.ContextsFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginCommandTest {
    private static final String ADA = """
            {"principal":{"id":"p1","kind":"user","name":"ada","groups":[],"may_act_as":false},"token_id":"t2",
             "roles":[{"workspace":"team-a","folder":"reports","subject":"user:ada","role":"runner"},
                      {"subject":"group:admins","role":"owner"}]}""";
    private static final String REFUSAL =
            "{\"status\":401,\"code\":\"unauthenticated\",\"detail\":\"The token is unknown.\"}";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    private final Map<String, String> environment = new HashMap<>();
    private final ContextsFile file;

    LoginCommandTest(@TempDir Path home) {
        environment.put("XDG_CONFIG_HOME", home.toString());
        file = ContextsFile.require(environment);
    }

    @Test
    void keepsATokenAfterCheckingIt() {
        gateway.on("GET /whoami", 200, ADA);

        CliRunner.Outcome outcome = login("mru_abc\n", "--server", gateway.url(), "--token-stdin");

        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.output())
                .isEqualTo("Logged in to " + gateway.url()
                        + " as user ada. The token is in the context localhost, the current one.\n");
        assertThat(gateway.requests().getFirst().authorization()).isEqualTo("Bearer mru_abc");
        assertThat(file.read().current()).contains("localhost");
        assertThat(file.read().require("localhost").token()).contains("mru_abc");
    }

    @Test
    void keepsNoTokenThatTheServerRefuses() {
        gateway.on("GET /whoami", 401, REFUSAL);

        CliRunner.Outcome outcome = login("mru_abc", "--server", gateway.url(), "--token-stdin");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED.number());
        assertThat(outcome.errors())
                .contains("does not accept the token of standard input. The token is unknown.")
                .doesNotContain("mru_abc");
        assertThat(file.path()).doesNotExist();
    }

    @Test
    void beginsNoLoginWhoseTokenOthersCouldRead() {
        CliRunner.Outcome outcome = login("", "--server", "http://gateway.invalid:8400");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(outcome.errors())
                .contains("The token of the login would travel unencrypted to http://gateway.invalid:8400")
                .doesNotContain("Open this page");
    }

    @Test
    void getsATokenByADevice() {
        gateway.on("POST /device-authorizations", 200, """
                {"device_code":"d1","user_code":"BCDF-GHJK","verification_uri":"http://a/device",
                 "verification_uri_complete":"http://a/device?user_code=BCDF-GHJK","expires_in":600,"interval":1}""")
                .on("POST /oauth/token", 200, "{\"access_token\":\"mru_abc\",\"token_type\":\"Bearer\"}")
                .on("GET /whoami", 200, ADA);

        CliRunner.Outcome outcome = login("", "--server", gateway.url(), "--context", "prod", "-o", "json");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.errors()).contains("http://a/device?user_code=BCDF-GHJK", "BCDF-GHJK\n");
        assertThat(Json.parse(outcome.output())
                        .orElseThrow()
                        .path("principal")
                        .path("name")
                        .asText())
                .isEqualTo("ada");
        assertThat(file.read().require("prod").token()).contains("mru_abc");
    }

    @Test
    void replacesTheTokenOfTheContextAndKeepsTheRest() {
        gateway.on("GET /whoami", 200, ADA);
        login("mru_old", "--server", gateway.url(), "--context", "mine", "--workspace", "team-a", "--token-stdin");
        CliRunner.run(environment, "", "contexts", "set", "other", "--server", "https://other.example");
        CliRunner.run(environment, "", "contexts", "use", "other");

        login("mru_new", "--server", gateway.url() + "/", "--token-stdin");

        assertThat(file.read().byName()).containsOnlyKeys("mine", "other");
        assertThat(file.read().current()).contains("mine");
        assertThat(file.read().require("mine").token()).contains("mru_new");
        assertThat(file.read().require("mine").workspace()).contains("team-a");
    }

    @Test
    void warnsThatAVariableComesBeforeTheContext() {
        gateway.on("GET /whoami", 200, ADA);
        environment.put("MILLRACE_TOKEN", "mru_other");

        CliRunner.Outcome outcome = login("mru_abc", "--server", gateway.url(), "--token-stdin");

        assertThat(outcome.errors()).contains("The variable MILLRACE_TOKEN is set and comes before the context");
        assertThat(gateway.requests().getFirst().authorization()).isEqualTo("Bearer mru_abc");
    }

    @Test
    void needsAServerForANewContext() {
        CliRunner.Outcome outcome = login("mru_abc", "--context", "prod", "--token-stdin");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(outcome.errors()).contains("There is no context 'prod', and no server for a new one.");
    }

    @Test
    void revokesAndDeletesTheTokenAtTheEnd() {
        gateway.on("DELETE /tokens/current", 200, "{\"id\":\"t1\",\"name\":\"laptop\"}");
        loggedIn();

        CliRunner.Outcome outcome = CliRunner.run(environment, "", "logout");

        assertThat(outcome.output()).isEqualTo("Logged out: the token of the context mine is revoked and deleted.\n");
        assertThat(gateway.requests().getFirst().authorization()).isEqualTo("Bearer mru_abc");
        assertThat(file.read().require("mine").token()).isEmpty();
        assertThat(CliRunner.run(environment, "", "logout").errors()).contains("The context mine has no token.");
    }

    @Test
    void deletesATokenThatIsInvalidAlready() {
        gateway.on("DELETE /tokens/current", 401, REFUSAL);
        loggedIn();

        CliRunner.Outcome outcome = CliRunner.run(environment, "", "logout", "-o", "json");

        assertThat(outcome.exitCode()).isZero();
        assertThat(Json.parse(outcome.output()).orElseThrow().path("revoked").asBoolean())
                .isFalse();
        assertThat(file.read().require("mine").token()).isEmpty();
    }

    @Test
    void keepsATokenThatCouldNotBeRevoked() {
        gateway.on("DELETE /tokens/current", 503, "{\"detail\":\"No scheduler answers.\"}");
        loggedIn();

        assertThat(CliRunner.run(environment, "", "logout").exitCode()).isEqualTo(ExitCode.UNREACHABLE.number());
        assertThat(file.read().require("mine").token()).isPresent();
    }

    @Test
    void showsWhoCalls() {
        gateway.on("GET /whoami", 200, ADA).on("GET /tokens", 200, """
                {"items":[{"id":"t1","name":"old"},
                  {"id":"t2","name":"laptop","restrictions":{"workspaces":["team-a"],"role_max":"runner"}}],
                 "next_page_token":""}""");
        loggedIn();

        CliRunner.Outcome outcome = CliRunner.run(environment, "", "whoami");
        CliRunner.Outcome json = CliRunner.run(environment, "", "whoami", "-o", "json");

        assertThat(outcome.output()).isEqualTo("""
                You are user ada at %s.
                Your token: laptop, valid forever, only for workspace team-a; role runner
                ROLE    WORKSPACE  FOLDER   GIVEN TO
                runner  team-a     reports  user:ada
                owner   (all)      (all)    group:admins
                """.formatted(gateway.url()));
        assertThat(Json.parse(json.output())
                        .orElseThrow()
                        .path("token")
                        .path("name")
                        .asText())
                .isEqualTo("laptop");
    }

    @Test
    void saysHowToLogIn() {
        gateway.on("GET /whoami", 401, REFUSAL);

        CliRunner.Outcome nobody = CliRunner.run("whoami", "--server", gateway.url());
        loggedIn();
        CliRunner.Outcome known = CliRunner.run(environment, "", "whoami");

        assertThat(nobody.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED.number());
        assertThat(nobody.errors())
                .contains(
                        "wants to know who calls, and there is no token for it.",
                        "./millrace login --server " + gateway.url(),
                        "MILLRACE_TOKEN");
        assertThat(known.errors())
                .contains("does not accept the token of the context mine. The token is unknown.", "./millrace login");
    }

    private void loggedIn() {
        file.update(before -> before.with(
                        "mine", Context.of(URI.create(gateway.url())).withToken(Optional.of("mru_abc")))
                .using("mine"));
    }

    private CliRunner.Outcome login(String input, String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "login";
        System.arraycopy(options, 0, arguments, 1, options.length);
        return CliRunner.run(environment, input, arguments);
    }
}
