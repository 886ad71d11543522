package dev.millrace.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.tls.KeyFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerConfigTest {
    @TempDir
    private Path folder;

    @Test
    void hasDefaults() {
        SchedulerConfig config = load(Map.of(), Map.of());

        assertThat(config)
                .isEqualTo(new SchedulerConfig(
                        new GrpcConfig("127.0.0.1", 8401),
                        new AccessConfig(false, Path.of("millrace-owner-token")),
                        new SecretsConfig(Path.of("millrace-keys"), Optional.empty(), Optional.empty()),
                        new DatabaseConfig(
                                new DatabaseLocation("jdbc:postgresql://localhost:5432/millrace", "", ""), 10, true),
                        SchedulerConfig.LANES_DEFAULT,
                        new EvaluatorConfig(2, 128),
                        new WorkerConfig(Duration.ofSeconds(15), Duration.ofSeconds(5)),
                        new JobConfig(Duration.ofMinutes(5), 3),
                        new LimitConfig(4 << 20, 1 << 20, 1 << 20, 16L << 20),
                        new BlobConfig(
                                BlobStoreKind.POSTGRES,
                                Optional.empty(),
                                Optional.empty(),
                                5L << 30,
                                Duration.ofDays(1)),
                        AlertConfig.DEFAULT,
                        TriggerConfig.DEFAULT,
                        new RetentionConfig(Map.of())));
    }

    @Test
    void refusesToListenBeyondTheMachineInPlainText() {
        for (String host : new String[] {"0.0.0.0", "::", "10.0.0.5", "scheduler.example"}) {
            assertThatThrownBy(() -> new GrpcConfig(host, 8401).requireProtection())
                    .hasMessageContaining("would listen on " + host + " without TLS")
                    .hasMessageContaining("millrace.grpc.tls.certificate")
                    .hasMessageContaining("millrace.grpc.allow-plaintext");
        }
        new GrpcConfig("127.0.0.1", 8401).requireProtection();
        new GrpcConfig("0.0.0.0", 8401, Optional.empty(), true).requireProtection();
    }

    @Test
    void wantsACertificateWithItsKey() {
        assertThatThrownBy(() -> load(Map.of("millrace.grpc.tls.certificate", "server.pem"), Map.of()))
                .hasMessageContaining("millrace.grpc.tls.key is missing");
        assertThatThrownBy(() -> load(Map.of("millrace.grpc.tls.client-ca", "ca.pem"), Map.of()))
                .hasMessageContaining("millrace.grpc.tls.client-ca has no effect without");
    }

    @Test
    void mapsEveryKey() {
        SchedulerConfig config = load(
                Map.ofEntries(
                        Map.entry("millrace.grpc.host", "0.0.0.0"),
                        Map.entry("millrace.grpc.port", "9000"),
                        Map.entry("millrace.grpc.tls.certificate", "/etc/server.pem"),
                        Map.entry("millrace.grpc.tls.key", "/etc/server.key"),
                        Map.entry("millrace.grpc.tls.client-ca", "/etc/ca.pem"),
                        Map.entry("millrace.grpc.allow-plaintext", "true"),
                        Map.entry("millrace.access.required", "true"),
                        Map.entry("millrace.access.owner-token-file", "/run/owner"),
                        Map.entry("millrace.secrets.key-file", "/run/keys"),
                        Map.entry("millrace.secrets.folder", "/run/secrets"),
                        Map.entry("millrace.secrets.vault.address", "https://vault:8200"),
                        Map.entry("millrace.secrets.vault.token-file", "/run/vault"),
                        Map.entry("millrace.secrets.vault.namespace", "team"),
                        Map.entry("millrace.secrets.vault.mount", "kv"),
                        Map.entry("millrace.secrets.vault.prefix", "apps/millrace"),
                        Map.entry("millrace.secrets.vault.transit-mount", "keys"),
                        Map.entry("millrace.secrets.vault.transit-key", "wrap"),
                        Map.entry("millrace.database.url", "postgres://ada:s%40cret@db:5433/queue?sslmode=require"),
                        Map.entry("millrace.database.pool-size", "20"),
                        Map.entry("millrace.database.migrate", "false"),
                        Map.entry("millrace.lanes", "4"),
                        Map.entry("millrace.evaluator.processes", "3"),
                        Map.entry("millrace.evaluator.heap-mib", "256"),
                        Map.entry("millrace.worker.session-ttl", "1m"),
                        Map.entry("millrace.worker.heartbeat-interval", "250ms"),
                        Map.entry("millrace.job.timeout-default", "2h"),
                        Map.entry("millrace.job.losses-max", "5"),
                        Map.entry("millrace.limit.payload-bytes-max", "10"),
                        Map.entry("millrace.limit.script-bytes-max", "20"),
                        Map.entry("millrace.limit.flow-bytes-max", "30"),
                        Map.entry("millrace.limit.log-bytes-max", "40"),
                        Map.entry("millrace.blob.store", "folder"),
                        Map.entry("millrace.blob.folder", "/run/blobs"),
                        Map.entry("millrace.blob.s3.bucket", "blobs"),
                        Map.entry("millrace.blob.s3.prefix", "millrace/"),
                        Map.entry("millrace.blob.s3.endpoint", "http://s3:9000"),
                        Map.entry("millrace.blob.s3.region", "here"),
                        Map.entry("millrace.blob.bytes-max", "50"),
                        Map.entry("millrace.blob.unused-time", "6h"),
                        Map.entry("millrace.trigger.allow-private", "true"),
                        Map.entry("millrace.retention.history", "90d")),
                Map.of());

        assertThat(config)
                .isEqualTo(new SchedulerConfig(
                        new GrpcConfig(
                                "0.0.0.0",
                                9000,
                                Optional.of(new GrpcTlsConfig(
                                        new KeyFiles(Path.of("/etc/server.pem"), Path.of("/etc/server.key")),
                                        Optional.of(Path.of("/etc/ca.pem")))),
                                true),
                        new AccessConfig(true, Path.of("/run/owner")),
                        new SecretsConfig(
                                Path.of("/run/keys"),
                                Optional.of(Path.of("/run/secrets")),
                                Optional.of(new VaultConfig(
                                        URI.create("https://vault:8200"),
                                        Path.of("/run/vault"),
                                        "team",
                                        "kv",
                                        "apps/millrace",
                                        "keys",
                                        Optional.of("wrap")))),
                        new DatabaseConfig(
                                new DatabaseLocation(
                                        "jdbc:postgresql://db:5433/queue?sslmode=require", "ada", "s@cret"),
                                20,
                                false),
                        4,
                        new EvaluatorConfig(3, 256),
                        new WorkerConfig(Duration.ofMinutes(1), Duration.ofMillis(250)),
                        new JobConfig(Duration.ofHours(2), 5),
                        new LimitConfig(10, 20, 30, 40),
                        new BlobConfig(
                                BlobStoreKind.FOLDER,
                                Optional.of(Path.of("/run/blobs")),
                                Optional.of(new BlobBucketConfig(
                                        "blobs",
                                        "millrace/",
                                        Optional.of(URI.create("http://s3:9000")),
                                        Optional.of("here"),
                                        true)),
                                50,
                                Duration.ofHours(6)),
                        AlertConfig.DEFAULT,
                        new TriggerConfig(true),
                        new RetentionConfig(Map.of("millrace.retention.history", Duration.ofDays(90)))));
    }

    @Test
    void takesFlagsBeforeVariablesBeforeTheFile() throws IOException {
        Path yaml = file("""
                millrace:
                  grpc: {port: 1, host: from-file}
                  lanes: 3
                  http: {port: 80}
                """);

        SchedulerConfig config = ConfigLoader.load(
                Map.of("millrace.grpc.port", "3"),
                Optional.of(yaml),
                Map.of("MILLRACE_GRPC_PORT", "2", "MILLRACE_GRPC_HOST", "from-variable", "MILLRACE_HOME", "/opt"));

        assertThat(config.grpc()).isEqualTo(new GrpcConfig("from-variable", 3));
        assertThat(config.lanes()).isEqualTo(3);
    }

    @Test
    void readsAgesFromEachSource() throws IOException {
        Path yaml = file("""
                millrace:
                  retention: {history: 1d, logs: 2d}
                """);

        SchedulerConfig config = ConfigLoader.load(
                Map.of("millrace.retention.history", "3d"),
                Optional.of(yaml),
                Map.of("MILLRACE_RETENTION_BULK_OPERATIONS", "4d", "MILLRACE_RETENTION_LOGS", "5d"));

        assertThat(config.retention().ages())
                .isEqualTo(Map.of(
                        "millrace.retention.history", Duration.ofDays(3),
                        "millrace.retention.bulk-operations", Duration.ofDays(4),
                        "millrace.retention.logs", Duration.ofDays(5)));
        assertThatThrownBy(() -> load(Map.of("millrace.retention.history", "0s"), Map.of()))
                .hasMessageContaining("millrace.retention.history: 0s (expected: more than 0s, at most 36500d)");
    }

    @Test
    void findsTheDatabaseInTheUsualVariables() {
        assertThat(load(Map.of(), Map.of("DATABASE_URL", "postgresql://db/x"))
                        .database()
                        .location()
                        .jdbcUrl())
                .isEqualTo("jdbc:postgresql://db:5432/x");
        assertThat(load(Map.of(), Map.of("PGHOST", "db", "PGUSER", "ada", "PGPASSWORD", "secret"))
                        .database()
                        .location())
                .isEqualTo(new DatabaseLocation("jdbc:postgresql://db:5432/ada", "ada", "secret"));
    }

    @Test
    void takesUserAndPasswordApartFromTheUrl() throws IOException {
        Path password = file("s3cret\n");
        assertThat(load(
                                Map.of(
                                        "millrace.database.url", "jdbc:postgresql://pg1,pg2/x",
                                        "millrace.database.user", "ada",
                                        "millrace.database.password-file", password.toString()),
                                Map.of())
                        .database()
                        .location())
                .isEqualTo(new DatabaseLocation("jdbc:postgresql://pg1,pg2/x", "ada", "s3cret"));
        assertThatThrownBy(() -> load(Map.of("millrace.database.password-file", "/no/such/file"), Map.of()))
                .hasMessageContaining("millrace.database.password-file: /no/such/file cannot be read");
    }

    @Test
    void refusesUnknownKeysAndNamesTheNearest() throws IOException {
        assertThatThrownBy(() -> load(Map.of("millrace.grpc.prot", "1"), Map.of()))
                .hasMessageContaining("millrace.grpc.prot in the flags is unknown: did you mean millrace.grpc.port?");
        assertThatThrownBy(() -> load(Map.of("millrace.databse.url", "x"), Map.of()))
                .hasMessageContaining("did you mean millrace.database.url?");
        assertThatThrownBy(() -> load(Map.of("millrace.worker.sesion-ttl", "1s"), Map.of()))
                .hasMessageContaining("did you mean millrace.worker.session-ttl?");
        assertThatThrownBy(() -> load(Map.of(), Map.of("MILLRACE_DATABASE_POOLSIZE", "1")))
                .hasMessageContaining(
                        "MILLRACE_DATABASE_POOLSIZE in the environment is unknown: did you mean MILLRACE_DATABASE_POOL_SIZE?");
        Path yaml = file("millrace: {lane: 2}");
        assertThatThrownBy(() -> ConfigLoader.load(Map.of(), Optional.of(yaml), Map.of()))
                .hasMessageContaining("did you mean millrace.lanes?");
    }

    @Test
    void saysWhichSettingOfMailsIsMissing() {
        assertThatThrownBy(() -> load(Map.of("millrace.mail.host", "mail.example.com"), Map.of()))
                .hasMessageStartingWith("millrace.mail.from is not set (expected: the address of the sender");
    }

    @Test
    void refusesValuesThatMakeNoSense() {
        assertThatThrownBy(() -> load(Map.of("millrace.worker.session-ttl", "soon"), Map.of()))
                .hasMessageContaining("millrace.worker.session-ttl: \"soon\"")
                .hasMessageContaining("250ms, 30s, 5m or 2h");
        assertThatThrownBy(() -> load(Map.of("millrace.grpc.port", "http"), Map.of()))
                .hasMessageContaining("millrace.grpc.port: \"http\"");
        assertThatThrownBy(() -> load(Map.of("millrace.worker.session-ttl", "6s"), Map.of()))
                .hasMessageContaining("at least twice");
    }

    @Test
    void neverShowsThePassword() {
        SchedulerConfig config =
                SchedulerConfig.defaults().withDatabaseUrl("postgres://ada:sesame@db/x?password=sesame");

        assertThat(config.toString()).contains("db:5432/x").doesNotContain("sesame");
        assertThatThrownBy(() -> SchedulerConfig.defaults().withDatabaseUrl("postgres://ada:sec/ret@db/x"))
                .hasMessageNotContaining("ret");
    }

    @Test
    void refusesBrokenYamlWithoutShowingItsText() throws IOException {
        for (String broken : List.of(
                "millrace: {database: {url: sesame",
                "millrace:\n  database:\n    url: *sesame\n",
                "millrace: sesame: x",
                "\"sesame",
                "- sesame",
                "sesame")) {
            Path yaml = file(broken);
            assertThatThrownBy(() -> ConfigLoader.load(Map.of(), Optional.of(yaml), Map.of()))
                    .as(broken)
                    .hasMessageContaining("The configuration in " + yaml)
                    .hasMessageMatching(
                            ".*(is not valid YAML at line \\d+, column \\d+|is not valid YAML|holds no settings).*")
                    .satisfies(
                            error -> assertThat(Throwables.getStackTrace(error)).doesNotContain("sesame"));
        }
        for (String empty : List.of("", "# sesame\n\n")) {
            assertThat(ConfigLoader.load(Map.of(), Optional.of(file(empty)), Map.of()))
                    .isEqualTo(load(Map.of(), Map.of()));
        }
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("millrace.yaml"), yaml);
    }

    private static SchedulerConfig load(Map<String, String> flags, Map<String, String> environment) {
        return ConfigLoader.load(flags, Optional.empty(), environment);
    }
}
