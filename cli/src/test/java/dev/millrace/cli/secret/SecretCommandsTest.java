package dev.millrace.cli.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretCommandsTest {
    private static final String SECRET = "{\"path\":\"shop/api_key\",\"store\":\"local\",\"version\":2}";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"s3cret value", "s3cret value\n", "s3cret value\r\n"})
    void takesTheValueFromStandardInputWithoutItsLineEnd(String input) {
        gateway.on("PUT /secrets/shop/api_key", 200, SECRET);

        CliRunner.Outcome outcome = run(input, "secrets", "set", "shop/api_key", "--description", "the shop's");

        assertThat(outcome.output() + outcome.errors())
                .isEqualTo("Set the secret shop/api_key (version 2). Steps that begin from now on use it.\n");
        assertThat(Json.compact(gateway.requests().getFirst().body()))
                .isEqualTo("{\"value\":\"s3cret value\",\"description\":\"the shop's\"}");
    }

    @Test
    void takesTheValueOfAFileAsItIs() throws IOException {
        gateway.on("PUT /secrets/shop/api_key", 200, SECRET);
        Path file = Files.writeString(folder.resolve("key.pem"), "line 1\nline 2\n\n");

        run("", "secrets", "set", "shop/api_key", "--value-file", file.toString());

        assertThat(Json.text(gateway.requests().getFirst().body(), "value")).isEqualTo("line 1\nline 2\n\n");
    }

    @Test
    void sendsNoValueToAnExternalStore() {
        gateway.on("PUT /secrets/shop/api_key", 200, SECRET);

        run("ignored", "secrets", "set", "shop/api_key", "--store", "vault", "--create-only");

        assertThat(Json.compact(gateway.requests().getFirst().body()))
                .isEqualTo("{\"store\":\"vault\",\"create_only\":true}");
    }

    @Test
    void refusesValuesThatAreEmptyBinaryOrTooLong() throws IOException {
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 0});
        Path huge = Files.writeString(folder.resolve("huge"), "x".repeat(65_537));

        assertInvalid("is empty", run("\n", "secrets", "set", "a"));
        assertInvalid("is not UTF-8 text", run("", "secrets", "set", "a", "--value-file", binary.toString()));
        assertInvalid("more than 65536 bytes", run("", "secrets", "set", "a", "--value-file", huge.toString()));
    }

    @Test
    void refusesAValueAmongTheArgumentsWithoutRepeatingIt() {
        CliRunner.Outcome outcome = run("", "secrets", "set", "shop/api_key", "s3cret", "value");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(outcome.errors()).contains("A value is no argument").doesNotContain("s3cret");
        assertThat(gateway.requests()).isEmpty();
    }

    @Test
    void listsAndDeletesSecrets() {
        gateway.on("GET /secrets", 200, """
                {"items":[{"path":"shop/api_key","store":"local","description":"the shop's","version":2,
                  "versions":[{"version":2,"created_by":"ada"},{"version":1,"created_by":"bob"}],
                  "used_by":["shop/buy","shop/sell"]}],"next_page_token":""}""").on("DELETE /secrets/shop/api_key", 200, SECRET);

        assertThat(run("", "secrets", "list").output()).isEqualTo("""
                PATH          STORE  VERSION  SET  SET BY  USED BY             DESCRIPTION
                shop/api_key  local        2       ada     shop/buy,shop/sell  the shop's
                """);
        assertThat(run("", "secrets", "delete", "shop/api_key", "--force").output())
                .isEqualTo("Deleted the secret shop/api_key.\n");
        assertThat(gateway.requests().getLast().path()).isEqualTo("/secrets/shop/api_key?force=true");
    }

    @Test
    void saysByWhichOptionASecretIsDeletedAllTheSame() {
        gateway.on("DELETE /secrets/shop/api_key", 409, """
                {"code":"in_use","status":409,"detail":"It is used. Change that first, or delete it anyway with force: it fails."}""");

        assertThat(run("", "secrets", "delete", "shop/api_key").errors())
                .contains("or delete it anyway with --force: it fails.");
    }

    @Test
    void sendsResourcesOfYamlAndJson() throws IOException {
        gateway.on("PUT /resources/shop/db", 200, "{\"path\":\"shop/db\"}");
        Path yaml = Files.writeString(folder.resolve("db.yaml"), """
                host: db.example # the primary
                port: 5432
                password: ${{ secrets.shop.db_password }}
                """);

        run("", "resources", "set", "shop/db", yaml.toString(), "--type", "postgres");
        run("{\"ratio\":1.10}", "resources", "set", "shop/db", "-");

        assertThat(gateway.requests())
                .extracting(request -> Json.compact(request.body()))
                .containsExactly(
                        "{\"value\":{\"host\":\"db.example\",\"port\":5432,"
                                + "\"password\":\"${{ secrets.shop.db_password }}\"},\"type\":\"postgres\"}",
                        "{\"value\":{\"ratio\":1.10}}");
        assertInvalid("is neither valid JSON nor valid YAML: line 2", run("a: [1\n", "resources", "set", "a", "-"));
    }

    @Test
    void showsResourcesAndTheirTypes() {
        gateway.on("GET /resources/shop/db", 200, "{\"path\":\"shop/db\",\"value\":{\"port\":5432}}")
                .on("GET /resource-types", 200, "{\"items\":[{\"name\":\"postgres\",\"description\":\"A database\"}]}")
                .on("PUT /resource-types/postgres", 200, "{\"name\":\"postgres\"}")
                .on("DELETE /resource-types/postgres", 200, "{\"name\":\"postgres\"}");

        assertThat(run("", "resources", "get", "shop/db").output()).isEqualToIgnoringWhitespace("{\"port\":5432}");
        assertThat(run("", "resources", "get", "shop/db", "-o", "json").output())
                .contains("\"path\"");
        assertThat(run("", "resources", "types").output()).contains("postgres  A database");
        assertThat(run("type: object", "resources", "set-type", "postgres", "-").output())
                .isEqualTo("Set the type postgres. Resources that exist are not checked again.\n");
        assertThat(Json.compact(gateway.requests().getLast().body())).isEqualTo("{\"schema\":{\"type\":\"object\"}}");
        assertThat(run("", "resources", "delete-type", "postgres").output()).isEqualTo("Deleted the type postgres.\n");
    }

    @Test
    void listsAndRotatesKeys() {
        gateway.on("GET /keys", 200, """
                {"items":[{"id":"2025","current":false,"available":false,"workspaces":3},
                  {"id":"2026","current":true,"available":true,"workspaces":1}],"values_waiting":7}""")
                .on("POST /keys:rotate", 200, "{\"key_id\":\"2026\",\"workspaces\":3,\"values_waiting\":7}");

        assertThat(run("", "keys", "list").output()).isEqualTo("""
                ID    STATE    WORKSPACES  FIRST USED
                2025  missing           3
                2026  current           1
                7 values wait to be encrypted again.
                """);
        assertThat(run("", "keys", "rotate", "--data").output()).contains("The key 2026 wraps", "7 values wait");
        assertThat(Json.compact(gateway.requests().getLast().body())).isEqualTo("{\"data\":true}");
    }

    private void assertInvalid(String message, CliRunner.Outcome outcome) {
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(outcome.errors()).contains(message);
    }

    private CliRunner.Outcome run(String input, String... arguments) {
        return CliRunner.run(
                Map.of(),
                input,
                Stream.concat(Stream.of(arguments), Stream.of("--server=" + gateway.url()))
                        .toArray(String[]::new));
    }
}
