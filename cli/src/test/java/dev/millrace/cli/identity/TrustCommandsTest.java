package dev.millrace.cli.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class TrustCommandsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void createsListsAndDeletesTrusts() {
        gateway.on("POST /trusts", 201, "{}").on("DELETE /trusts/main", 204, "").on("GET /trusts", 200, """
                        {"items":[{"name":"main","service_account":"ci","issuer":"https://ci.example",
                          "audience":"millrace","claims":{"ref":"refs/heads/main","repository":"a/b"}}]}""");

        run(
                "",
                "trusts",
                "create",
                "main",
                "--service-account=ci",
                "--issuer=https://ci.example",
                "--audience=millrace",
                "--claim=repository=a/b",
                "--claim=ref=refs/heads/main");

        assertThat(Json.compact(gateway.requests().getFirst().body()))
                .isEqualTo("{\"name\":\"main\",\"service_account\":\"ci\",\"issuer\":\"https://ci.example\","
                        + "\"audience\":\"millrace\",\"claims\":{\"repository\":\"a/b\",\"ref\":\"refs/heads/main\"}}");
        assertThat(run("", "trusts", "list").output()).contains("ref=refs/heads/main repository=a/b");
        assertThat(run("", "trusts", "delete", "main").output()).isEqualTo("Deleted the trust main.\n");
    }

    @Test
    void exchangesAJwtForATokenAndPrintsItAlone() {
        gateway.on("POST /oauth/token", 200, "{\"access_token\":\"mrs_abc\",\"expires_in\":900}");

        CliRunner.Outcome outcome = CliRunner.run(
                Map.of("MILLRACE_TOKEN", "mrs_old"),
                "a.b.c\n",
                "tokens",
                "exchange",
                "--workspace=team-a",
                "--service-account=ci",
                "--server=" + gateway.url());

        assertThat(outcome.output()).isEqualTo("mrs_abc\n");
        assertThat(outcome.errors()).isEmpty();
        assertThat(gateway.requests().getFirst().authorization()).isEmpty();
        assertThat(gateway.requests().getFirst().form())
                .endsWith("&subject_token=a.b.c&workspace=team-a&service_account=ci");
    }

    @Test
    void saysWhyAJwtIsRefused() {
        gateway.on(
                "POST /oauth/token",
                400,
                "{\"error\":\"invalid_grant\",\"error_description\":\"Nobody trusts the JWT.\"}");

        CliRunner.Outcome outcome = run("a.b.c", "tokens", "exchange");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED.number());
        assertThat(outcome.errors()).isEqualTo("Nobody trusts the JWT.\n");
    }

    private CliRunner.Outcome run(String input, String... arguments) {
        return CliRunner.run(
                Map.of(),
                input,
                Stream.concat(Stream.of(arguments), Stream.of("--server=" + gateway.url()))
                        .toArray(String[]::new));
    }
}
