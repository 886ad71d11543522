package dev.millrace.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.cli.CliRunner;
import dev.millrace.gateway.GatewayConfig;
import dev.millrace.scheduler.config.SchedulerConfig;
import io.smallrye.config.SmallRyeConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Units in {@code deploy/systemd}: they start existing programs with known settings. */
class SystemdUnitsTest {
    private static final Path FOLDER = Path.of("..", "deploy", "systemd");
    private static final String SHARED = "millrace-.service.d/service.conf";
    private static final List<String> UNITS =
            List.of("millrace-scheduler.service", "millrace-gateway.service", "millrace-worker.service");
    private static final String JAVA = "/opt/millrace/jdk/bin/java";

    @ParameterizedTest
    @CsvSource({
        "scheduler, server,  LoadCredential=millrace.yaml, ${CREDENTIALS_DIRECTORY}/millrace.yaml",
        "gateway,   gateway, LoadCredential=millrace.yaml, ${CREDENTIALS_DIRECTORY}/millrace.yaml",
        "worker,    worker,  StandardInput=file,           -",
    })
    void startsACommandWithItsSettings(String service, String command, String source, String config)
            throws IOException {
        List<String> unit = Files.readAllLines(FOLDER.resolve("millrace-" + service + ".service"));

        assertThat(unit)
                .contains(source + ":/etc/millrace/" + service + ".yaml")
                // A worker has further flags of the JVM.
                .anySatisfy(line -> assertThat(line)
                        .startsWith("ExecStart=" + JAVA + " @/opt/millrace/services.args ")
                        .endsWith(" -jar /opt/millrace/millrace.jar " + command + " --config " + config));
        assertThat(Path.of("src", "launcher", "services.args")).exists();
        CliRunner.Outcome help = CliRunner.run(command, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.output()).contains("--config");
    }

    @Test
    void hasExamplesOfSettingsThatServicesKnow() {
        assertThat(SchedulerConfig.load(Map.of(), Optional.of(example("scheduler")))
                        .grpc()
                        .host())
                .isEqualTo("127.0.0.1");
        assertThat(GatewayConfig.from(settings("gateway", Map.of())).schedulerTarget())
                .isEqualTo("localhost:8401");
        assertThat(WorkerSettings.read(settings("worker", Map.of()), Map.of()).target())
                .isEqualTo("localhost:8401");
    }

    /** A worker's scripts can read what its user can, so systemd must neither copy nor pass on its settings. */
    @Test
    void keepsTheSettingsOfTheWorkerFromItsScripts() throws IOException {
        String unit = Files.readString(FOLDER.resolve("millrace-worker.service"));

        assertThat(unit).doesNotContain("Credential", "TOKEN", "/etc/millrace/worker-token");
    }

    @Test
    void letsTheWorkerWriteWhereItMay() throws IOException {
        List<String> unit = Files.readAllLines(FOLDER.resolve("millrace-worker.service"));
        String folder = "%S/millrace-worker";
        Map<String, String> environment = Map.of("MILLRACE_WORKER_FOLDER", folder);

        assertThat(unit)
                .contains("StateDirectory=millrace-worker")
                .anySatisfy(line -> assertThat(line).startsWith("Environment=MILLRACE_WORKER_FOLDER=" + folder + " "));
        assertThat(WorkerSettings.read(settings("worker", environment), environment)
                        .folder())
                .isEqualTo(Path.of(folder));
    }

    /** {@code systemd-analyze} reports unknown options, sections and values. */
    @Test
    void suitsSystemd(@TempDir Path copy) throws IOException, InterruptedException {
        assumeTrue(isOnPath("systemd-analyze"), "there is no systemd-analyze");
        Files.createDirectories(copy.resolve(SHARED).getParent());
        for (String file : Stream.concat(UNITS.stream(), Stream.of(SHARED)).toList()) {
            Files.writeString(
                    copy.resolve(file), Files.readString(FOLDER.resolve(file)).replace(JAVA, "/bin/sh"));
        }

        List<String> command = new ArrayList<>(List.of("systemd-analyze", "verify", "--man=no"));
        UNITS.forEach(unit -> command.add(copy.resolve(unit).toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();

        assertThat(said.lines()).noneMatch(line -> line.contains("millrace"));
    }

    private static Path example(String service) {
        return FOLDER.resolve("etc").resolve(service + ".yaml");
    }

    private static SmallRyeConfig settings(String service, Map<String, String> environment) {
        return Settings.load(new Flags(), Optional.of(example(service)), environment);
    }

    private static boolean isOnPath(String program) {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(Optional.ofNullable(System.getenv("PATH")).orElse(""))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
