package dev.millrace.cli.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextsCommandTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    private final Map<String, String> environment;
    private final ContextsFile file;

    ContextsCommandTest(@TempDir Path home) {
        environment = Map.of("XDG_CONFIG_HOME", home.toString());
        file = ContextsFile.require(environment);
    }

    @Test
    void makesNoContextTheCurrentOneUntilItIsChosen() {
        CliRunner.Outcome first =
                run("contexts", "set", "prod", "--server", "https://prod.example", "--workspace", "team-a");
        assertThat(first.output()).contains("Choose it with: ./millrace contexts use prod");
        assertThat(file.read().current()).isEmpty();
        run("contexts", "use", "prod");
        CliRunner.Outcome second = run("contexts", "set", "test", "--server", "https://test.example");

        assertThat(second.output()).contains("Choose it with: ./millrace contexts use test");
        assertThat(run("contexts", "list").output()).isEqualTo("""
                   NAME  SERVER                WORKSPACE  TOKEN
                *  prod  https://prod.example  team-a     no
                   test  https://test.example             no
                """);
    }

    @Test
    void sendsWorkspaceAndTokenOfTheChosenContext() {
        gateway.on("GET /workspaces/team-a/flows", 200, "{\"items\":[]}");
        set("prod", "https://prod.example", "prod-token");
        set("own", gateway.url(), "own-token");

        run("contexts", "use", "own");
        run("flows", "list");
        run("flows", "list", "--context", "own");

        assertThat(gateway.requests()).hasSize(2).allSatisfy(request -> {
            assertThat(request.path()).startsWith("/workspaces/team-a/flows");
            assertThat(request.authorization()).isEqualTo("Bearer own-token");
        });
    }

    @Test
    void forgetsTheTokenWithTheServer() {
        set("prod", gateway.url(), "prod-token");

        run("contexts", "set", "prod", "--workspace", "team-b");
        assertThat(file.read().require("prod").token()).contains("prod-token");

        run("contexts", "set", "prod", "--server", "https://prod.example");
        assertThat(file.read().require("prod").token()).isEmpty();
        assertThat(file.read().require("prod").workspace()).contains("team-b");
    }

    @Test
    void showsNoToken() {
        set("prod", "https://prod.example", "prod-token");
        run("contexts", "use", "prod");

        CliRunner.Outcome shown = run("contexts", "show");
        CliRunner.Outcome json = run("contexts", "show", "prod", "-o", "json");

        assertThat(shown.output())
                .contains("Context prod (current)", "https://prod.example", "stored in " + file.path());
        assertThat(Json.parse(json.output()).orElseThrow().path("has_token").asBoolean())
                .isTrue();
        assertThat(shown.output() + json.output()).doesNotContain("prod-token");
    }

    @Test
    void deletesAContextAndSaysThatItsTokenWorks() {
        set("prod", "https://prod.example", "prod-token");

        CliRunner.Outcome deleted = run("contexts", "delete", "prod");

        assertThat(deleted.output()).contains("Deleted the context prod.", "Its token still works at the server");
        assertThat(run("contexts", "list").output()).contains("There are no contexts.", "./millrace login");
        assertThat(run("contexts", "delete", "prod").exitCode()).isEqualTo(ExitCode.USAGE.number());
    }

    @Test
    void refusesANewContextWithoutAServer() {
        CliRunner.Outcome outcome = run("contexts", "set", "prod");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(outcome.errors()).contains("The new context 'prod' needs a server. Add: --server URL");
    }

    private void set(String name, String server, String token) {
        file.update(before -> before.with(
                name, new Context(URI.create(server), Optional.of("team-a"), Optional.of(token), Optional.empty())));
    }

    private CliRunner.Outcome run(String... arguments) {
        return CliRunner.run(environment, "", arguments);
    }
}
