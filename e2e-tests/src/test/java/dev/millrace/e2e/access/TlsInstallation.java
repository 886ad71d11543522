package dev.millrace.e2e.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * An installation that demands a token of everybody, and whose gateway has a certificate of a private authority. People
 * call it by the command line.
 */
final class TlsInstallation implements AutoCloseable {
    private final Path folder;
    private final Postgres postgres;
    private final Cluster cluster;

    private TlsInstallation(Path folder, Postgres postgres, Cluster cluster) {
        this.folder = folder;
        this.postgres = postgres;
        this.cluster = cluster;
    }

    /** Starts a scheduler and a gateway, and waits until the first owner is let in. */
    static TlsInstallation start(Path folder) {
        succeeds(new Cli(Map.of()).run("certs", "dev", "--out", folder.toString()));
        Path ownerToken = folder.resolve("owner-token");
        Postgres postgres = Postgres.start();
        Cluster cluster = Cluster.start(
                "command-line",
                postgres,
                ClusterPlan.small()
                        .withWorkers()
                        .with("millrace.access.required", "true")
                        .with("millrace.access.owner-token-file", ownerToken.toString())
                        .with(
                                "millrace.http.tls.certificate",
                                folder.resolve("server.pem").toString())
                        .with(
                                "millrace.http.tls.key",
                                folder.resolve("server.key").toString()));
        TlsInstallation installation = new TlsInstallation(folder, postgres, cluster);
        Await.until("the first owner has a token", Api.PATIENCE, () -> Files.exists(ownerToken));
        Await.until(
                "the gateway serves the owner",
                Api.PATIENCE,
                () -> installation.owner().run("whoami").exitCode() == 0);
        return installation;
    }

    String gateway() {
        return "https://localhost:" + cluster.gatewayUrl().getPort();
    }

    Path authority() {
        return folder.resolve("ca.pem");
    }

    /** The command line of the first owner, by variables. */
    Cli owner() {
        return program(
                Map.of("MILLRACE_TOKEN_FILE", folder.resolve("owner-token").toString()));
    }

    /** The command line of a program that knows the gateway, by variables. */
    Cli program(Map<String, String> variables) {
        var all = new HashMap<>(variables);
        all.put("MILLRACE_SERVER", gateway());
        all.put("MILLRACE_CA_FILE", authority().toString());
        return person(all);
    }

    /** The command line of somebody without contexts. */
    Cli person(Map<String, String> variables) {
        try {
            var all = new HashMap<>(variables);
            all.put(
                    "XDG_CONFIG_HOME",
                    Files.createTempDirectory(folder, "person").toString());
            return new Cli(all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new user, who has logged in with a token and trusts the authority. */
    Cli user(String name) {
        try {
            Path file = folder.resolve(name + ".token");
            succeeds(owner().run("users", "create", name));
            succeeds(owner().run("tokens", "create", "--user", name, "--name", "laptop", "--out", file.toString()));
            Cli user = person(Map.of());
            assertThat(succeeds(user.runWith(
                            Files.readString(file),
                            "login",
                            "--server",
                            gateway(),
                            "--ca-file",
                            authority().toString(),
                            "--token-stdin")))
                    .contains("as user " + name);
            return user;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String succeeds(Cli.Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome.output();
    }

    @Override
    public void close() {
        cluster.close();
        postgres.close();
    }
}
