package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python scripts with packages, which real workers install from an index in a folder. */
final class PythonPackagesTest {
    @TempDir
    private static Path folder;

    private static Postgres postgres;
    private static Cluster cluster;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        Path settings =
                Files.writeString(folder.resolve("uv.toml"), "no-index = true\nfind-links = [\"" + folder + "\"]\n");
        publish("1.0");
        postgres = Postgres.start();
        cluster = Cluster.start(
                "python-packages",
                postgres,
                ClusterPlan.small().withWorkers(0, 0).with("uv.config.file", settings.toString()));
        api = new Api(cluster.gatewayUrl());
        api.awaitReady();
    }

    @AfterAll
    static void stop() {
        cluster.close();
        postgres.close();
    }

    @Test
    void allJobsOfAScriptGetThePackagesThatWereChosenFirst() throws IOException {
        api.deployScript("packages/first.py", "import millracewheel\ndef main():\n    return millracewheel.VERSION\n");

        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            runs.add(api.submit(script("packages/first.py")));
        }
        assertThat(runs)
                .extracting(run -> api.awaitEnd(run).path("output").asText())
                .containsOnly("1.0");
        assertThat(runs)
                .extracting(run -> api.logText(run, "system"))
                .anyMatch(log -> log.contains("Packages inferred from imports: millracewheel.")
                        && log.contains("Installing 1 package …\nInstalled millracewheel 1.0 in "));

        publish("2.0");
        assertThat(output("packages/first.py")).isEqualTo("1.0");
        api.deployScript("packages/second.py", """
                # /// script
                # dependencies = ['millracewheel>1']
                # ///
                from millracewheel import VERSION

                def main():
                    return VERSION
                """);
        assertThat(output("packages/second.py")).isEqualTo("2.0");
        assertThat(output("packages/first.py")).isEqualTo("1.0");
    }

    @Test
    void aPackageThatDoesNotExistFailsTheJobInTheWordsOfTheResolver() {
        api.deployScript(
                "packages/bad.py", "# /// script\n# dependencies = ['millraceabsent']\n# ///\ndef main():\n    pass\n");

        JsonNode error = api.runToEnd(script("packages/bad.py")).path("error");

        assertThat(error.path("name").asText()).isEqualTo("LoadError");
        assertThat(error.path("message").asText())
                .startsWith("The packages of this script cannot be chosen. uv says: ")
                .contains("millraceabsent");
    }

    private static String output(String path) {
        return api.runToEnd(script(path)).path("output").asText();
    }

    private static Map<String, Object> script(String path) {
        return Map.of("target", Map.of("script", path));
    }

    /** Publishes a version of a package with one module, which knows its version. */
    private static void publish(String version) throws IOException {
        String info = "millracewheel-" + version + ".dist-info/";
        Path wheel = folder.resolve("millracewheel-" + version + "-py3-none-any.whl");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(wheel))) {
            add(zip, "millracewheel.py", "VERSION = '" + version + "'\n");
            add(zip, info + "METADATA", "Metadata-Version: 2.1\nName: millracewheel\nVersion: " + version + "\n");
            add(zip, info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            add(zip, info + "RECORD", "millracewheel.py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n");
        }
    }

    private static void add(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
