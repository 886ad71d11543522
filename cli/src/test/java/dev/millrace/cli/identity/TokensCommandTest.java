package dev.millrace.cli.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensCommandTest {
    private static final String ISSUED = """
            {"secret":"mru_abc","token":{"id":"t1","kind":"user","name":"laptop","principal":"ada",
             "restrictions":{"folders":["reports"]}}}""";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @TempDir
    private Path folder = Path.of("");

    @Test
    void printsTheSecretAloneOnStandardOutput() {
        gateway.on("POST /tokens", 201, ISSUED);

        CliRunner.Outcome outcome = run(
                "tokens",
                "create",
                "--name",
                "laptop",
                "--valid-for",
                "30d",
                "--folder",
                "reports,sales",
                "--role-max",
                "runner",
                "--workspace-only",
                "--workspace",
                "team-a");

        assertThat(outcome.output()).isEqualTo("mru_abc\n");
        assertThat(outcome.errors())
                .contains("laptop, valid forever, only for folder reports", "cannot be shown again");
        assertThat(Json.compact(gateway.requests().getFirst().body()))
                .isEqualTo("{\"name\":\"laptop\",\"valid_for\":\"30d\",\"restrictions\":{\"workspaces\":[\"team-a\"],"
                        + "\"folders\":[\"reports\",\"sales\"],\"role_max\":\"runner\"}}");
    }

    @Test
    void writesTheSecretToAFileOfTheUser() throws IOException {
        gateway.on("POST /tokens", 201, ISSUED);
        Path file = Files.writeString(folder.resolve("token"), "old");

        CliRunner.Outcome outcome = run("tokens", "create", "--name", "laptop", "--out", file.toString());

        assertThat(file).hasContent("mru_abc");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(outcome.output() + outcome.errors())
                .contains("Wrote the token to " + file)
                .doesNotContain("mru_abc");
        assertThat(folder).isDirectoryContaining(path -> path.equals(file));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void issuesNoTokenThatItCannotWrite() {
        CliRunner.Outcome outcome = run(
                "tokens",
                "create",
                "--name",
                "laptop",
                "--out",
                folder.resolve("none/token").toString());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(outcome.errors()).contains("none/token cannot be written");
        assertThat(gateway.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--user ada|/tokens|{'name':'n','user':'ada'}",
                "--service-account ci|/service-accounts/ci/tokens|{'name':'n'}",
                "--service-account ci --workspace a|/workspaces/a/service-accounts/ci/tokens|{'name':'n'}",
                "--worker --tags gpu,python|/worker-tokens|{'name':'n','tags':['gpu','python']}",
                "--shared-worker --workspaces a,b|/shared-tokens|{'name':'n','kind':'worker','workspaces':['a','b']}",
                "--gateway|/shared-tokens|{'name':'n','kind':'gateway'}"
            })
    void createsTokensForOthers(String options, String path, String body) {
        gateway.on("POST " + path, 201, ISSUED);

        CliRunner.Outcome outcome = run(("tokens create --name n " + options).split(" "));

        assertThat(outcome.exitCode()).isZero();
        assertThat(Json.compact(gateway.requests().getFirst().body())).isEqualTo(body.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource({
        "--user a --worker",
        "--tags gpu",
        "--worker --folder a",
        "--gateway --role-max viewer",
        "--worker --workspaces a"
    })
    void refusesOptionsThatDoNotFit(String options) {
        CliRunner.Outcome outcome = run(("tokens create --name n " + options).split(" "));

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(gateway.requests()).isEmpty();
    }

    @Test
    void listsTokensOfTheCallerOfAWorkspaceOrAll() {
        gateway.on("GET /tokens", 200, """
                {"items":[
                  {"id":"t3","kind":"user","name":"laptop","principal":"ada","created_by":"ada"},
                  {"id":"t2","kind":"service_account","name":"ci","principal":"ci","created_by":"ada",
                   "expire_time":"2020-01-31T08:00:00Z"},
                  {"id":"t1","kind":"worker","name":"gpu","created_by":"ada","restrictions":{"tags":["gpu"]},
                   "revoke_time":"2020-01-31T08:00:00Z"}],"next_page_token":""}""");

        CliRunner.Outcome outcome = run("tokens", "list");
        run("tokens", "list", "--all");
        run("tokens", "list", "--of-workspace", "--workspace", "team-a");

        assertThat(outcome.output().lines())
                .satisfiesExactly(
                        header -> assertThat(header).startsWith("ID  NAME"),
                        valid -> assertThat(valid).contains("t3", "laptop", "ada", "valid", "never"),
                        expired -> assertThat(expired).contains("t2", "service account", "expired"),
                        revoked -> assertThat(revoked).contains("t1", "worker", "revoked", "tag gpu"));
        assertThat(gateway.requests())
                .extracting(FakeGateway.Request::path)
                .containsExactly(
                        "/tokens?page_size=1000",
                        "/tokens?all=true&page_size=1000",
                        "/tokens?workspace=team-a&page_size=1000");
    }

    @Test
    void revokesTokens() {
        gateway.on("DELETE /tokens/t1", 200, "{\"id\":\"t1\",\"name\":\"laptop\\u001b[2J\"}");

        CliRunner.Outcome outcome = run("tokens", "revoke", "t1");

        assertThat(outcome.output()).isEqualTo("Revoked the token laptop\\x1b[2J (t1).\n");
    }

    private CliRunner.Outcome run(String... arguments) {
        return CliRunner.run(Stream.concat(Stream.of(arguments), Stream.of("--server=" + gateway.url()))
                .toArray(String[]::new));
    }
}
