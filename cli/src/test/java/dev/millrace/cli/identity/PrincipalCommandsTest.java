package dev.millrace.cli.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrincipalCommandsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void listsUsersWithTheirGroups() {
        gateway.on("GET /users", 200, """
                {"items":[{"id":"p1","kind":"user","name":"ada","groups":["dev","ops"],"may_act_as":false},
                  {"id":"p2","kind":"user","name":"bob","groups":[],"may_act_as":false,
                   "disable_time":"2026-01-31T08:00:00Z"}],"next_page_token":""}""");

        assertThat(run("users list").output()).isEqualTo("""
                NAME  CREATED  STATE     GROUPS   ACTS FOR OTHERS
                ada            enabled   dev,ops  no
                bob            disabled           no
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "users create ada|POST /users|{'name':'ada'}",
                "users disable ada|PATCH /users/ada|{'disabled':true}",
                "users enable ada|PATCH /users/ada|{'disabled':false}",
                "service-accounts create ci|POST /service-accounts|{'name':'ci'}",
                "service-accounts disable ci --workspace a|PATCH /workspaces/a/service-accounts/ci|{'disabled':true}",
                "service-accounts enable ci|PATCH /service-accounts/ci|{'disabled':false}",
                "service-accounts update ci --may-act-as true|PATCH /service-accounts/ci|{'may_act_as':true}",
                "roles grant user:ada runner|POST /roles|{'subject':'user:ada','role':'runner'}",
                "roles grant group:a viewer --folder f|POST /roles|{'subject':'group:a','role':'viewer','folder':'f'}",
                "owners grant user:ada|POST /owners|{'subject':'user:ada'}"
            })
    void changesWhatIsNamed(String command, String request, String body) {
        gateway.on(request, 200, "{\"name\":\"x\"}");

        CliRunner.Outcome outcome = run(command);

        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).endsWith(command.contains("create") ? "PURPOSE\n" : ".\n");
        assertThat(Json.compact(gateway.requests().getFirst().body())).isEqualTo(body.replace('\'', '"'));
    }

    @Test
    void listsAndRevokesRoles() {
        gateway.on("GET /roles", 200, """
                {"items":[{"workspace":"default","subject":"user:ada","role":"developer"},
                  {"workspace":"default","folder":"reports","subject":"group:analysts","role":"runner"}],
                 "next_page_token":""}""")
                .on("DELETE /roles", 200, "{\"subject\":\"group:analysts\",\"role\":\"runner\"}");

        assertThat(run("roles list").output()).isEqualTo("""
                SUBJECT         ROLE       FOLDER
                user:ada        developer  (all)
                group:analysts  runner     reports
                """);
        assertThat(run("roles revoke group:analysts --folder reports").output())
                .isEqualTo("group:analysts is not runner in the folder reports of workspace default any more.\n");
        assertThat(gateway.requests().getLast().path()).isEqualTo("/roles?subject=group%3Aanalysts&folder=reports");
    }

    @Test
    void listsAndRevokesOwners() {
        gateway.on("GET /owners", 200, "{\"items\":[{\"subject\":\"user:ada\",\"role\":\"owner\"}]}")
                .on("DELETE /owners/user%3Aada", 200, "{\"subject\":\"user:ada\",\"role\":\"owner\"}");

        assertThat(run("owners list").output()).isEqualTo("SUBJECT\nuser:ada\n");
        assertThat(run("owners revoke user:ada").output())
                .isEqualTo("user:ada does not own the installation any more.\n");
    }

    @Test
    void saysWhatTheServerSaysOfARoleThatIsMissing() {
        gateway.on("POST /users", 403, "{\"detail\":\"ada needs the role owner of the installation.\"}");

        CliRunner.Outcome outcome = run("users create bob");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED.number());
        assertThat(outcome.errors()).isEqualTo("ada needs the role owner of the installation.\n");
    }

    private CliRunner.Outcome run(String command) {
        return CliRunner.run(Stream.concat(Stream.of(command.split(" ")), Stream.of("--server=" + gateway.url()))
                .toArray(String[]::new));
    }
}
