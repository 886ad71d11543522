package dev.millrace.e2e.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** An installation that demands a token of everybody, and at whose provider people log in. */
final class LoginInstallation implements AutoCloseable {
    private final Path folder;
    private final Provider provider;
    private final Postgres postgres;
    private final Cluster cluster;
    private final Cli owner;

    private LoginInstallation(Path folder, Provider provider, Postgres postgres, Cluster cluster, Cli owner) {
        this.folder = folder;
        this.provider = provider;
        this.postgres = postgres;
        this.cluster = cluster;
        this.owner = owner;
    }

    /** Starts a provider, a scheduler and a gateway. */
    static LoginInstallation start(Path folder) {
        Path ownerToken = folder.resolve("owner-token");
        Provider provider = Provider.start();
        Postgres postgres = Postgres.start();
        Cluster cluster = Cluster.start(
                "login",
                postgres,
                provider.addTo(ClusterPlan.small()
                        .withWorkers()
                        .with("millrace.access.required", "true")
                        .with("millrace.access.owner-token-file", ownerToken.toString())));
        new Api(cluster.gatewayUrl()).awaitReady();
        Await.until("the first owner has a token", Api.PATIENCE, () -> Files.exists(ownerToken));
        Cli owner = new Cli(Map.of(
                "MILLRACE_SERVER",
                cluster.gatewayUrl().toString(),
                "MILLRACE_TOKEN_FILE",
                ownerToken.toString(),
                "HOME",
                folder.toString()));
        return new LoginInstallation(folder, provider, postgres, cluster, owner);
    }

    Provider provider() {
        return provider;
    }

    URI at(String path) {
        return cluster.gatewayUrl().resolve(path);
    }

    Cli owner() {
        return owner;
    }

    /** The command line of a person without contexts. */
    Cli newcomer() {
        return with(Map.of());
    }

    /** The command line with a token in the environment. */
    Cli withToken(String token) {
        return with(Map.of("MILLRACE_TOKEN", token, "MILLRACE_SERVER", at("").toString()));
    }

    private Cli with(Map<String, String> environment) {
        try {
            var all = new HashMap<>(environment);
            all.put(
                    "XDG_CONFIG_HOME",
                    Files.createTempDirectory(folder, "person").toString());
            return new Cli(all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command that must succeed, and returns its output. */
    static String succeeds(Cli cli, String... arguments) {
        Cli.Outcome outcome = cli.run(arguments);
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome.output();
    }

    @Override
    public void close() {
        cluster.close();
        postgres.close();
        provider.close();
    }
}
