package dev.millrace.e2e.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goes the way of the first owner and the first user of an installation that wants tokens, on the command line. */
final class CommandLineTest {
    private static final int USAGE = 2;
    private static final int NOT_FOUND = 4;
    private static final int NOT_ALLOWED = 8;

    private final Path folder;
    private final Path script;

    CommandLineTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.script = Files.writeString(folder.resolve("hello.py"), "def main(): return 'hello'\n");
    }

    @Test
    void letsUsersDoWhatTheirRolesAllow() throws IOException, SQLException {
        Path ownerToken = folder.resolve("owner-token");
        ClusterPlan plan = ClusterPlan.small()
                .withWorkers()
                .with("millrace.access.required", "true")
                .with("millrace.access.owner-token-file", ownerToken.toString());
        try (Postgres postgres = Postgres.start();
                Cluster cluster = Cluster.start("command-line", postgres, plan)) {
            new Api(cluster.gatewayUrl()).awaitReady();

            Cli owner = loggedIn("owner", cluster.gatewayUrl(), Files.readString(ownerToken));
            refusesWhoIsNotLoggedIn(cluster.gatewayUrl());
            Cli ada = userOf(owner, cluster.gatewayUrl());
            followsTheRole(owner, ada);
            cutsTokens(ada, cluster.gatewayUrl());
            forgetsWhoLogsOut(ada);
        }
    }

    private void refusesWhoIsNotLoggedIn(URI gateway) {
        var nobody = new Cli(Map.of("MILLRACE_SERVER", gateway.toString(), "HOME", folder.toString()));

        var outcome = nobody.run("runs", "list");

        assertThat(outcome.exitCode()).as(outcome.errors()).isEqualTo(NOT_ALLOWED);
        assertThat(outcome.errors()).contains("there is no token for it", "./millrace login --server " + gateway);
    }

    private Cli userOf(Cli owner, URI gateway) throws IOException {
        Path file = folder.resolve("ada.token");
        succeeds(owner.run("users", "create", "ada"));
        succeeds(owner.run("tokens", "create", "--user", "ada", "--name", "laptop", "--out", file.toString()));
        Cli ada = loggedIn("ada", gateway, Files.readString(file));
        assertThat(succeeds(ada.run("whoami"))).contains("You are user ada", "laptop", "You have no role");
        return ada;
    }

    private void followsTheRole(Cli owner, Cli ada) {
        String[] deploy = {"scripts", "deploy", script.toString(), "--path", "team/hello.py"};
        var asNobody = ada.run(deploy);
        assertThat(asNobody.exitCode()).isEqualTo(NOT_FOUND);
        assertThat(asNobody.errors()).contains("ada has no role in a workspace default");

        succeeds(owner.run("roles", "grant", "user:ada", "viewer"));
        succeeds(ada.run("scripts", "list"));
        var asViewer = ada.run(deploy);
        assertThat(asViewer.exitCode()).isEqualTo(NOT_ALLOWED);
        assertThat(asViewer.errors()).contains("ada needs the role developer");

        succeeds(owner.run("roles", "grant", "user:ada", "developer", "--folder", "team"));
        succeeds(ada.run(deploy));
        assertThat(ada.run("scripts", "deploy", script.toString(), "--path", "other/hello.py")
                        .exitCode())
                .isEqualTo(NOT_ALLOWED);
        assertThat(ada.run("users", "list").exitCode()).isEqualTo(NOT_ALLOWED);
    }

    private void cutsTokens(Cli ada, URI gateway) {
        String token = succeeds(ada.run("tokens", "create", "--name", "looks", "--role-max", "viewer"))
                .strip();
        var program = new Cli(
                Map.of("MILLRACE_SERVER", gateway.toString(), "MILLRACE_TOKEN", token, "HOME", folder.toString()));

        succeeds(program.run("scripts", "list"));
        assertThat(program.run("scripts", "delete", "team/hello.py").exitCode()).isEqualTo(NOT_ALLOWED);

        var tokens = Json.parse(succeeds(ada.run("tokens", "list", "-o", "json")));
        assertThat(tokens.path("items").findValuesAsText("name")).containsExactly("looks", "laptop");
        succeeds(ada.run(
                "tokens", "revoke", tokens.path("items").path(0).path("id").asText()));
        assertThat(program.run("scripts", "list").exitCode()).isEqualTo(NOT_ALLOWED);
    }

    private static void forgetsWhoLogsOut(Cli ada) {
        assertThat(succeeds(ada.run("logout"))).contains("is revoked and deleted");
        assertThat(ada.run("runs", "list").exitCode()).isEqualTo(NOT_ALLOWED);
        assertThat(ada.run("logout").exitCode()).isEqualTo(USAGE);
    }

    /** A person with contexts of their own who logs in with a token. */
    private Cli loggedIn(String person, URI gateway, String token) {
        var cli = new Cli(Map.of("XDG_CONFIG_HOME", folder.resolve(person).toString()));
        assertThat(succeeds(cli.runWith(token, "login", "--server", gateway.toString(), "--token-stdin")))
                .contains("as user " + person);
        return cli;
    }

    private static String succeeds(Cli.Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome.output();
    }
}
