package dev.millrace.e2e.access;

import static dev.millrace.e2e.access.TlsInstallation.succeeds;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Goes the ways of owners, users and programs on the command line, over TLS, in an installation that wants tokens. */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CommandLineTest {
    private static final int USAGE = 2;
    private static final int UNREACHABLE = 3;
    private static final int NOT_FOUND = 4;
    private static final int NOT_ALLOWED = 8;
    private static final String VALUE = "correct-horse-battery";

    private Path folder;
    private Path script;
    private TlsInstallation installation;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        folder = temporary;
        script = Files.writeString(folder.resolve("hello.py"), "def main(): return 'hello'\n");
        installation = TlsInstallation.start(folder);
    }

    @AfterAll
    void stop() {
        installation.close();
    }

    @Test
    void tellsStrangersHowToLogIn() {
        Cli.Outcome outcome = installation.program(Map.of()).run("runs", "list");

        assertThat(outcome.exitCode()).as(outcome.errors()).isEqualTo(NOT_ALLOWED);
        assertThat(outcome.errors())
                .contains("there is no token for it", "./millrace login --server " + installation.gateway());
    }

    @Test
    void letsUsersDoWhatTheirRolesAllow() {
        Cli owner = installation.owner();
        Cli ada = installation.user("ada");
        assertThat(succeeds(ada.run("whoami"))).contains("You are user ada", "laptop", "You have no role");

        String[] deploy = {"scripts", "deploy", script.toString(), "--path", "team/hello.py"};
        Cli.Outcome asNobody = ada.run(deploy);
        assertThat(asNobody.exitCode()).isEqualTo(NOT_FOUND);
        assertThat(asNobody.errors()).contains("ada has no role in a workspace default");

        succeeds(owner.run("roles", "grant", "user:ada", "viewer"));
        succeeds(ada.run("scripts", "list"));
        Cli.Outcome asViewer = ada.run(deploy);
        assertThat(asViewer.exitCode()).isEqualTo(NOT_ALLOWED);
        assertThat(asViewer.errors()).contains("ada needs the role developer");

        succeeds(owner.run("roles", "grant", "user:ada", "developer", "--folder", "team"));
        succeeds(ada.run(deploy));
        assertThat(ada.run("scripts", "deploy", script.toString(), "--path", "other/hello.py")
                        .exitCode())
                .isEqualTo(NOT_ALLOWED);

        assertThat(succeeds(ada.run("logout"))).contains("is revoked and deleted");
        assertThat(ada.run("runs", "list").exitCode()).isEqualTo(NOT_ALLOWED);
        assertThat(ada.run("logout").exitCode()).isEqualTo(USAGE);
    }

    @Test
    void cutsTokens() {
        Cli dora = installation.user("dora");
        succeeds(installation.owner().run("roles", "grant", "user:dora", "developer"));
        String token = succeeds(dora.run("tokens", "create", "--name", "looks", "--role-max", "viewer"))
                .strip();
        Cli program = installation.program(Map.of("MILLRACE_TOKEN", token));

        succeeds(program.run("scripts", "list"));
        assertThat(program.run("scripts", "deploy", script.toString()).exitCode())
                .isEqualTo(NOT_ALLOWED);

        JsonNode tokens = Json.parse(succeeds(dora.run("tokens", "list", "-o", "json")));
        assertThat(tokens.path("items").findValuesAsText("name")).containsExactly("looks", "laptop");
        succeeds(dora.run(
                "tokens", "revoke", tokens.path("items").path(0).path("id").asText()));
        assertThat(program.run("scripts", "list").exitCode()).isEqualTo(NOT_ALLOWED);
    }

    @Test
    void trustsTheNamedAuthorityOnly() {
        String[] whoami = {"whoami", "--server", installation.gateway()};
        Cli.Outcome withoutAuthority = installation.person(Map.of()).run(whoami);
        Cli.Outcome byOption = installation
                .person(Map.of())
                .run(
                        "whoami",
                        "--server",
                        installation.gateway(),
                        "--ca-file",
                        installation.authority().toString());
        Cli.Outcome byVariable = installation
                .person(Map.of("MILLRACE_CA_FILE", installation.authority().toString()))
                .run(whoami);
        Cli.Outcome noAuthority = installation
                .person(Map.of("MILLRACE_CA_FILE", script.toString()))
                .run(whoami);

        assertThat(withoutAuthority.exitCode()).as(withoutAuthority.errors()).isEqualTo(UNREACHABLE);
        assertThat(withoutAuthority.errors()).contains("--ca-file");
        assertThat(byOption.exitCode()).as(byOption.errors()).isEqualTo(NOT_ALLOWED);
        assertThat(byVariable.exitCode()).as(byVariable.errors()).isEqualTo(NOT_ALLOWED);
        assertThat(noAuthority.exitCode()).as(noAuthority.errors()).isEqualTo(USAGE);
        assertThat(noAuthority.errors()).contains(script.toString());
    }

    @Test
    void takesSecretsFromStandardInputAndPromptsOnly() {
        Cli owner = installation.owner();

        Cli.Outcome piped = owner.runWith(VALUE + "\n", "secrets", "set", "shop/piped", "-o", "json");
        Cli.Outcome typed = owner.runInTerminal(VALUE, "secrets", "set", "shop/typed");
        Cli.Outcome asArgument = owner.run("secrets", "set", "shop/argument", VALUE);

        assertThat(Json.parse(succeeds(piped)).path("path").asText()).isEqualTo("shop/piped");
        assertThat(succeeds(typed)).contains("Value of shop/typed: ", "Set the secret shop/typed (version 1)");
        assertThat(asArgument.exitCode()).as(asArgument.errors()).isEqualTo(USAGE);
        String listed = succeeds(owner.run("secrets", "list", "-o", "json"));
        assertThat(Json.parse(listed).path("items").findValuesAsText("path")).contains("shop/piped", "shop/typed");
        assertThat(Stream.of(piped.output(), typed.output(), typed.errors(), listed))
                .noneMatch(text -> text.contains(VALUE));
        succeeds(owner.run("secrets", "delete", "shop/piped"));
        succeeds(owner.run("secrets", "delete", "shop/typed"));
    }

    @Test
    void showsWhatHappened() {
        Cli owner = installation.owner();
        Cli eve = installation.user("eve");
        succeeds(owner.runWith(VALUE, "secrets", "set", "audit/key"));
        assertThat(eve.runWith(VALUE, "secrets", "set", "audit/key").exitCode()).isEqualTo(NOT_FOUND);

        JsonNode allowed = Json.parse(succeeds(owner.run(
                "audit", "list", "--action", "SetSecret", "--subject", "audit/key", "--since", "1h", "-o", "json")));
        JsonNode denied = Json.parse(succeeds(
                owner.run("audit", "list", "--all", "--principal", "eve", "--outcome", "denied", "-o", "json")));
        String exported = succeeds(owner.run("audit", "export", "--action", "SetSecret", "--subject", "audit/key"));

        assertThat(allowed.path("items").findValuesAsText("outcome")).contains("allowed");
        assertThat(denied.path("items").findValuesAsText("action")).contains("SetSecret");
        assertThat(exported)
                .as("the events of the last minute may not be complete")
                .isEmpty();
        assertThat(succeeds(owner.run("audit", "list", "--until", "1h"))).contains("No event matches.");
    }

    @Test
    void keepsContexts() {
        Cli finn = installation.user("finn");
        succeeds(finn.run("contexts", "set", "test", "--server", "https://test.invalid", "--workspace", "team-a"));

        JsonNode contexts = Json.parse(succeeds(finn.run("contexts", "list", "-o", "json")));
        assertThat(contexts.path("items").findValuesAsText("name")).containsExactlyInAnyOrder("localhost", "test");
        assertThat(Json.parse(succeeds(finn.run("contexts", "show", "-o", "json")))
                        .path("name")
                        .asText())
                .isEqualTo("localhost");
        succeeds(finn.run("contexts", "use", "test", "-o", "json"));
        assertThat(finn.run("whoami").exitCode()).isEqualTo(UNREACHABLE);
        assertThat(Json.parse(succeeds(finn.run("whoami", "--context", "localhost", "-o", "json")))
                        .at("/principal/name")
                        .asText())
                .isEqualTo("finn");
        succeeds(finn.run("contexts", "delete", "test", "-o", "json"));
        assertThat(finn.run("contexts", "use", "test").exitCode()).isNotZero();
    }

    @Test
    void tellsProgramsEverythingAsJson() {
        Cli owner = installation.owner();
        for (List<String> command : List.of(
                List.of("version"),
                List.of("users", "list"),
                List.of("users", "create", "json"),
                List.of("owners", "list"),
                List.of("roles", "list"),
                List.of("roles", "grant", "user:json", "viewer"),
                List.of("service-accounts", "create", "json"),
                List.of("tokens", "create", "--service-account", "json", "--name", "json"),
                List.of("workspaces", "create", "json"),
                List.of("quotas", "get"),
                List.of("quotas", "set", "--queued-jobs", "1000000"),
                List.of("keys", "list"),
                List.of("keys", "rotate", "--data"),
                List.of("audit", "list", "--all"),
                List.of("server", "status"))) {
            String output = succeeds(owner.run(with(command, "-o", "json")));
            assertThat(Json.parse(output).isObject())
                    .as("%s: %s", command, output)
                    .isTrue();
        }
    }

    @Test
    void exitsWithEightIfTheRoleIsMissing() {
        Cli gus = installation.user("gus");
        succeeds(installation.owner().run("roles", "grant", "user:gus", "viewer"));
        for (List<String> command : List.of(
                List.of("users", "list"),
                List.of("roles", "grant", "user:gus", "admin"),
                List.of("tokens", "create", "--user", "ada", "--name", "stolen"),
                List.of("workspaces", "create", "gus"),
                List.of("quotas", "set", "--queued-jobs", "1"),
                List.of("keys", "rotate"),
                List.of("secrets", "set", "gus/key"),
                List.of("audit", "list"))) {
            Cli.Outcome outcome = gus.runWith(VALUE, with(command));
            assertThat(outcome.exitCode()).as("%s: %s", command, outcome).isEqualTo(NOT_ALLOWED);
            assertThat(outcome.output()).as("%s", command).isEmpty();
            assertThat(outcome.errors()).as("%s", command).contains("gus").endsWith(".\n");
        }
    }

    private static String[] with(List<String> command, String... more) {
        return Stream.concat(command.stream(), Stream.of(more)).toArray(String[]::new);
    }
}
