package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Json;
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
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that import other files, on two workers. */
@Tag("nightly")
final class ModulesTest {
    @TempDir
    private static Path index;

    private static Postgres postgres;
    private static Cluster cluster;
    private static Api api;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        Path settings =
                Files.writeString(index.resolve("uv.toml"), "no-index = true\nfind-links = [\"" + index + "\"]\n");
        publish("helper");
        publish("millracewheel");
        postgres = Postgres.start();
        cluster = Cluster.start(
                "modules", postgres, ClusterPlan.small().withWorkers(0, 0).with("uv.config.file", settings.toString()));
        api = new Api(cluster.gatewayUrl());
        api.awaitReady();
    }

    @AfterAll
    static void stop() {
        cluster.close();
        postgres.close();
    }

    @Test
    void aVersionRunsTheSameCodeForEverOnEveryWorker() throws IOException {
        api.deployScript("f/shared/text.py", "from .deep import WORD\ndef slug(): return WORD + ' one'\n");
        api.deployScript("f/shared/deep.py", "WORD = 'first'\n");
        write("load.py", """
                import helper
                from f.shared.text import slug
                from ..shared.deep import WORD

                def main():
                    return [helper.name(), slug(), WORD]
                """);
        write("helper.py", "def name(): return 'helper'\n");
        String old = deploy("load.py", "f/etl/load.py").path("hash").asText();

        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            runs.add(api.submit(script("f/etl/load.py")));
        }
        assertThat(runs)
                .allSatisfy(
                        run -> assertThat(texts(api.awaitEnd(run))).containsExactly("helper", "first one", "first"));
        assertThat(runs)
                .extracting(run -> api.logText(run, "system"))
                .noneMatch(log -> log.contains("Packages inferred"));

        api.deployScript("f/shared/deep.py", "WORD = 'second'\n");
        api.deployScript("f/shared/text.py", "from .deep import WORD\ndef slug(): return WORD + ' two'\n");
        assertThat(texts(api.runToEnd(script("f/etl/load.py")))).containsExactly("helper", "first one", "first");
        JsonNode deployed = deploy("load.py", "f/etl/load.py");

        assertThat(texts(api.runToEnd(script("f/etl/load.py")))).containsExactly("helper", "second two", "second");
        assertThat(texts(api.runToEnd(Map.of("target", Map.of("script_hash", old)))))
                .containsExactly("helper", "first one", "first");
        assertThat(deployed.path("files").findValuesAsText("path"))
                .containsExactly("f/etl/helper.py", "f/shared/deep.py", "f/shared/text.py");
    }

    @Test
    void runsAPackageOfTenFiles() throws IOException {
        var imports = new StringBuilder("from . import part0\n");
        for (int i = 0; i < 9; i++) {
            write(
                    "package/part" + i + ".py",
                    i == 8 ? "N = 1\n" : "from .part" + (i + 1) + " import N as M\nN = M + 1\n");
        }
        write("package/__init__.py", imports.append("N = part0.N\n").toString());
        write("main.py", "import package\n\ndef main():\n    return package.N\n");

        Cli.Outcome outcome = cli("run", folder.resolve("main.py").toString());

        assertThat(outcome.output().strip()).as(outcome.toString()).isEqualTo("9");
    }

    /** Each job must see one version as a whole, however the deployments fall between. */
    @Test
    void aVersionIsReplacedWhileItsJobsRun() throws IOException {
        List<String> runs = new ArrayList<>();
        for (int version = 0; version < 5; version++) {
            write("swap.py", "import part\nMINE = " + version + "\ndef main():\n    return [MINE, part.N]\n");
            write("part.py", "N = " + version + "\n");
            deploy("swap.py", "swap/swap.py");
            for (int i = 0; i < 10; i++) {
                runs.add(api.submit(script("swap/swap.py")));
            }
        }

        var seen = new TreeMap<Integer, Integer>();
        for (String run : runs) {
            JsonNode output = api.awaitEnd(run).path("output");
            assertThat(output.get(0)).isEqualTo(output.get(1));
            seen.merge(output.get(0).asInt(), 1, Integer::sum);
        }
        assertThat(seen).isEqualTo(Map.of(0, 10, 1, 10, 2, 10, 3, 10, 4, 10));
    }

    @Test
    void typeScriptImportsFromBesideAndFromTheRoot() throws IOException {
        api.deployScript("f/shared/text.ts", "export const word: string = 'shared';\n");
        write("load.ts", """
                import { near } from "./lib/near.ts";
                import { word } from "/f/shared/text.ts";
                import { word as relative } from "../shared/text.ts";

                export async function main(path: string): Promise<string[]> {
                  const late = await import("./lib/near.ts");
                  const denied = await Deno.readTextFile(path).then(() => "read", (error) => error.name);
                  return [near(), word, relative, late.near(), denied];
                }
                """);
        write("lib/near.ts", "export function near(): string {\n  return 'near';\n}\n");
        deploy("load.ts", "f/etl/load.ts");
        String foreign = cluster.folder().toAbsolutePath().toString();

        JsonNode run =
                api.runToEnd(Map.of("target", Map.of("script", "f/etl/load.ts"), "input", Map.of("path", foreign)));

        assertThat(texts(run)).containsExactly("near", "shared", "shared", "near", "NotCapable");
    }

    @Test
    @Tag("nightly")
    void takesPackagesFromTheListBesideTheScript() throws IOException {
        write("listed.py", "from part import VERSION\n\ndef main():\n    return VERSION\n");
        write("part.py", "try:\n    from millracewheel import VERSION\nexcept ImportError:\n    VERSION = 'none'\n");
        deploy("listed.py", "listed/without.py");
        assertThat(api.runToEnd(script("listed/without.py")).path("output").asText())
                .isEqualTo("none");

        write("requirements.txt", "millracewheel==1.0\n");
        deploy("listed.py", "listed/listed.py");

        assertThat(api.runToEnd(script("listed/listed.py")).path("output").asText())
                .isEqualTo("1.0");
    }

    @Test
    void namesTheFileAndLineOfAnError() throws IOException {
        write("fails.py", "from lib import deep\n\ndef main():\n    deep.f()\n");
        write("lib/deep.py", "def f():\n    raise ValueError('no')\n");
        deploy("fails.py", "e/fails.py");

        JsonNode error = api.runToEnd(script("e/fails.py")).path("error");

        assertThat(error.path("stack").asText())
                .contains("File \"e/lib/deep.py\", line 2, in f")
                .doesNotContain("tree/");
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private JsonNode deploy(String file, String path) {
        Cli.Outcome outcome =
                cli("scripts", "deploy", folder.resolve(file).toString(), "--path", path, "--output", "json");
        assertThat(outcome.exitCode()).as(outcome.toString()).isZero();
        return Json.parse(outcome.output());
    }

    private static Cli.Outcome cli(String... arguments) {
        return new Cli(cluster.gatewayUrl()).run(arguments);
    }

    private static List<String> texts(JsonNode run) {
        assertThat(run.path("state").asText()).as(run.toString()).isEqualTo("succeeded");
        return run.path("output").valueStream().map(JsonNode::asText).toList();
    }

    private static Map<String, Object> script(String path) {
        return Map.of("target", Map.of("script", path));
    }

    private static void publish(String name) throws IOException {
        String info = name + "-1.0.dist-info/";
        Map<String, String> files = Map.of(
                name + ".py",
                "VERSION = '1.0'\n",
                info + "METADATA",
                "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n",
                info + "WHEEL",
                "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                info + "RECORD",
                name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n");
        Path wheel = index.resolve(name + "-1.0-py3-none-any.whl");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(wheel))) {
            for (var file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
    }
}
