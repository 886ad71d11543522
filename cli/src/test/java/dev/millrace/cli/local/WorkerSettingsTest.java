package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.ScriptSlots;
import dev.millrace.worker.ScriptWorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerSettingsTest {
    @Test
    void readsFlagsThenEnvironmentThenFile(@TempDir Path folder) throws IOException {
        Path yaml = Files.writeString(folder.resolve("millrace.yaml"), """
                millrace:
                  scheduler: {target: "file:1"}
                  worker: {name: file, stop-timeout: 1500ms, prefetch: 2}
                """);
        Map<String, String> environment =
                Map.of("MILLRACE_WORKER_NAME", "environment", "MILLRACE_WORKER_SLOTS", "gpu=1");
        Flags flags =
                new Flags().with("millrace.worker.slots", "python=3,deno=2").with("millrace.worker.name", null);

        ScriptWorkerOptions options =
                WorkerSettings.read(Settings.load(flags, Optional.of(yaml), environment), environment);

        assertThat(options.target()).isEqualTo("file:1");
        assertThat(options.name()).isEqualTo("environment");
        assertThat(options.stopTimeout()).isEqualTo(Duration.ofMillis(1500));
        assertThat(options.slots()).containsExactly(ScriptSlots.of("python", 3, 6), ScriptSlots.of("deno", 2, 4));
    }

    @Test
    void keepsItsFilesBelowTheHomeFolder() {
        Map<String, String> environment = Map.of("MILLRACE_HOME", "/opt/millrace");

        ScriptWorkerOptions options =
                WorkerSettings.read(Settings.load(new Flags(), Optional.empty(), environment), environment);

        assertThat(options.folder()).isEqualTo(Path.of("/opt/millrace/.millrace/worker"));
        assertThat(options.target()).isEqualTo("localhost:8401");
    }

    @Test
    void leavesTheSchedulersKeysAlone() {
        Map<String, String> environment = Map.of("MILLRACE_WORKER_SESSION_TTL", "2s");

        WorkerSettings.read(Settings.load(new Flags(), Optional.empty(), environment), environment);
    }

    @Test
    void letsRequestsOutOnlyWhereToldSo(@TempDir Path folder) throws IOException {
        Path kafka = Files.writeString(folder.resolve("kafka.properties"), "security.protocol=SSL\n");
        Map<String, String> environment =
                Map.of("MILLRACE_WORKER_HTTP_ALLOW_PRIVATE", "true", "MILLRACE_WORKER_KAFKA_CONFIG", kafka.toString());

        HandlerSettings told = HandlerSettings.read(Settings.load(new Flags(), Optional.empty(), environment));
        HandlerSettings untold = HandlerSettings.read(Settings.load(new Flags(), Optional.empty(), Map.of()));

        assertThat(told.http().allowPrivate()).isTrue();
        assertThat(told.kafka().settings()).containsExactly(Map.entry("security.protocol", "SSL"));
        assertThat(untold.http().allowPrivate()).isFalse();
        assertThat(untold.slots()).isPositive();
        WorkerSettings.read(Settings.load(new Flags(), Optional.empty(), environment), environment);
    }

    @Test
    void readsWhatJobsMayUse() {
        Map<String, String> environment = Map.of(
                "MILLRACE_WORKER_JOB_MEMORY_BYTES_MAX", "268435456",
                "MILLRACE_WORKER_JOB_CPU_MAX", "30s",
                "MILLRACE_WORKER_JOB_FILES_MAX", "64");

        JobLimits limits = WorkerSettings.read(Settings.load(new Flags(), Optional.empty(), environment), environment)
                .jobLimits();

        assertThat(limits)
                .isEqualTo(JobLimits.DEFAULTS
                        .withMemoryBytes(256 << 20)
                        .withCpu(Duration.ofSeconds(30))
                        .withFiles(64));
        assertThat(read("millrace.worker.job-processes-max", "0").jobLimits()).isEqualTo(JobLimits.NONE);
        assertThatThrownBy(() -> read("millrace.worker.job-files-max", "-1"))
                .hasMessageContaining("millrace.worker.job-files-max: -1 (expected: >= 0");
    }

    @Test
    void refusesUnknownKeysAndUnreadableValues() {
        assertThatThrownBy(() -> read("millrace.worker.slotz", "python=1"))
                .hasMessageContaining("the key millrace.worker.slotz is unknown");
        assertThatThrownBy(() -> read("millrace.worker.slots", "python"))
                .hasMessageContaining("millrace.worker.slots: python (expected: TAG=COUNT");
        assertThatThrownBy(() -> read("millrace.worker.grace", "soon"))
                .hasMessageContaining("millrace.worker.grace: soon (expected: a duration");
        assertThatThrownBy(() -> read("millrace.worker.sqlite-folders", "shop=databases"))
                .hasMessageContaining("millrace.worker.sqlite-folders: shop=databases (expected: absolute paths");
        assertThat(read("millrace.worker.sqlite-folders", "/srv/all, shop=/srv/shop")
                        .embedded())
                .hasSize(3);
    }

    private static ScriptWorkerOptions read(String key, String value) {
        return WorkerSettings.read(Settings.load(new Flags().with(key, value), Optional.empty(), Map.of()), Map.of());
    }
}
