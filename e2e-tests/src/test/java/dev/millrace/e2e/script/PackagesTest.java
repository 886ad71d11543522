package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.NpmRegistry;
import dev.millrace.harness.PackageIndex;
import dev.millrace.harness.Postgres;
import dev.millrace.harness.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts with packages, which real workers install from an index in a folder and a registry on this machine. */
@Tag("nightly")
final class PackagesTest {
    /** Builds a package; the first time, it says who it is and waits to be killed. */
    private static final String SLOW_BUILDER = """
            import os, zipfile

            def get_requires_for_build_wheel(config_settings=None):
                return []

            def build_wheel(folder, config_settings=None, metadata_directory=None):
                if not os.path.exists(%1$r + '/killed'):
                    with open(%1$r + '/builder', 'w') as builder:
                        builder.write(str(os.getpid()))
                    open(%1$r + '/never').read()
                name = 'millraceslow-1.0-py3-none-any.whl'
                info = 'millraceslow-1.0.dist-info/'
                with zipfile.ZipFile(folder + '/' + name, 'w') as wheel:
                    wheel.writestr('millraceslow.py', 'VERSION = "1.0"')
                    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.2\\nName: millraceslow\\nVersion: 1.0\\n')
                    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
                    wheel.writestr(info + 'RECORD', '')
                return name
            """;

    @TempDir
    private static Path folder;

    private static PackageIndex index;
    private static NpmRegistry registry;
    private static Postgres postgres;
    private static Cluster cluster;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        index = new PackageIndex(folder);
        // The registry has a certificate of an authority that only the workers know.
        assertThat(new Cli(Map.of())
                        .run("certs", "dev", "--out", folder.toString())
                        .exitCode())
                .isZero();
        registry = new NpmRegistry(folder.resolve("server.pem"), folder.resolve("server.key"));
        publish("1.0");
        postgres = Postgres.start();
        cluster = Cluster.start(
                "packages",
                postgres,
                ClusterPlan.small()
                        .withWorkers(0, 0)
                        .with(PackageIndex.SETTING, index.settings())
                        .with("deno.cert", folder.resolve("ca.pem").toString())
                        .with(NpmRegistry.SETTING, registry.address()));
        api = new Api(cluster.gatewayUrl());
        api.awaitReady();
        api.awaitWorkers("worker-0", "worker-1");
    }

    @AfterAll
    static void stop() {
        cluster.close();
        postgres.close();
        registry.close();
    }

    @Test
    void allJobsOfAScriptGetThePackagesThatWereChosenFirst() throws IOException {
        String first = "import millracewheel\ndef main():\n    return millracewheel.VERSION\n" + once();
        // Stored and not deployed, so that its first job chooses.
        String hash = api.post(
                        "/api/v1/scripts", Map.of("path", "packages/first.py", "content", first, "store_only", true))
                .ok()
                .path("hash")
                .asText();
        Map<String, Object> stored = Map.of("target", Map.of("script_hash", hash));
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            runs.add(api.submit(stored));
        }
        assertThat(runs)
                .extracting(run -> api.awaitEnd(run).path("output").asText())
                .containsOnly("1.0");
        Await.until(
                "the log of a job says what was chosen and installed",
                Api.PATIENCE,
                () -> runs.stream()
                        .map(run -> api.logText(run, "system"))
                        .anyMatch(log -> log.contains("Packages inferred from imports: millracewheel.")
                                && log.contains("Choosing versions of packages …\n")));

        publish("2.0");
        assertThat(output(stored)).isEqualTo("1.0");
        api.deployScript("packages/second.py", """
                # /// script
                # dependencies = ['millracewheel>1']
                # ///
                from millracewheel import VERSION

                def main():
                    return VERSION
                """ + once());
        assertThat(output(script("packages/second.py"))).isEqualTo("2.0");
        assertThat(output(stored)).isEqualTo("1.0");
    }

    @Test
    void aRunChoosesPackagesWhenAScriptIsDeployed() throws IOException {
        Path file = Files.writeString(
                folder.resolve("ahead.py"),
                "import millracewheel\ndef main():\n    return millracewheel.VERSION\n#\n" + once());
        var cli = new Cli(cluster.gatewayUrl());

        Cli.Outcome deployed = cli.run("scripts", "deploy", file.toString(), "--path", "packages/ahead.py", "--wait");

        assertThat(deployed.exitCode()).as("exit code, with %s", deployed).isZero();
        assertThat(deployed.errors()).contains("Packages inferred from imports: millracewheel.", "Choosing versions");
        String run = api.submit(script("packages/ahead.py"));
        String version = api.awaitEnd(run).path("output").asText();
        assertThat(api.logText(run, "system")).doesNotContain("Choosing");
        assertThat(cli.run("scripts", "packages", "packages/ahead.py").output())
                .contains("millracewheel", version, "from an import");
        assertThat(cli.run("scripts", "packages", "packages/ahead.py", "--pin").output())
                .contains("# /// script\n# dependencies = [\n#   \"millracewheel==" + version + "\",\n# ]\n# ///\n");
    }

    @Test
    void typeScriptGetsWhatARunHasChosenAtItsDeployment() throws IOException {
        registry.publish("@millrace/wheel", "1.0.0", "exports.VERSION = '1.0.0';\n");
        Path file = Files.writeString(folder.resolve("ahead.ts"), """
                import wheel from "npm:@millrace/wheel";
                export async function main(url: string): Promise<string> {
                  const found = await (await fetch(url)).text();
                  return `${wheel.VERSION} of ${process.env.NPM_CONFIG_REGISTRY ?? ""}, ${found}`;
                }
                /""" + "/ " + folder + "\n");
        var cli = new Cli(cluster.gatewayUrl());

        Cli.Outcome deployed = cli.run("scripts", "deploy", file.toString(), "--path", "packages/ahead.ts", "--wait");
        registry.publish("@millrace/wheel", "2.0.0", "exports.VERSION = '2.0.0';\n");

        assertThat(deployed.exitCode()).as("exit code, with %s", deployed).isZero();
        assertThat(deployed.errors()).contains("Choosing versions", "Installed npm:@millrace/wheel 1.0.0 in ");
        String run = api.submit(fetching("packages/ahead.ts"));
        assertThat(api.awaitEnd(run).path("output").asText())
                .startsWith("1.0.0 of ")
                .endsWith(", trusted")
                .doesNotContain(registry.address());
        assertThat(api.logText(run, "system")).doesNotContain("Choosing");
        assertThat(cli.run("scripts", "packages", "packages/ahead.ts", "--pin").output())
                .isEqualTo("npm:@millrace/wheel@1.0.0\n");
        Files.writeString(file, "import 'npm:millraceabsent';\n");
        Cli.Outcome refused = cli.run("scripts", "deploy", file.toString(), "--path", "packages/bad.ts", "--wait");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors())
                .contains("The packages of this script cannot be had. deno says: ", "'millraceabsent' does not exist");
    }

    @Test
    void bunGetsWhatARunHasChosenAtTheDeployment() throws IOException {
        assumeTrue(api.workers().get(0).toString().contains("\"bun\""), "this machine has no bun");
        registry.publish("@millrace/pack", "1.2.0", "exports.VERSION = '1.2.0';\n");
        Path file = Files.writeString(folder.resolve("annotated.ts"), """
                // millrace: runtime=bun
                import pack from "@millrace/pack";
                import { VERSION } from "@millrace/pack@^1";
                import again from "npm:@millrace/pack@^1/index.js";
                import data from "npm:@millrace/pack/package.json";
                const required = require("@millrace/pack");
                export const main = async (url: string) => [VERSION, data.version, pack === again && pack === required,
                  await (await fetch(url)).text(), Object.keys(process.env).filter((name) => /^npm_/i.test(name))];
                /""" + "/ " + folder + "\n");
        var cli = new Cli(cluster.gatewayUrl());

        Cli.Outcome deployed =
                cli.run("scripts", "deploy", file.toString(), "--path", "packages/annotated.ts", "--wait");
        registry.publish("@millrace/pack", "1.3.0", "exports.VERSION = '1.3.0';\n");

        assertThat(deployed.exitCode()).as("exit code, with %s", deployed).isZero();
        assertThat(deployed.errors()).contains("Choosing versions", "Installed npm:@millrace/pack 1.2.0 in ");
        String run = api.submit(fetching("packages/annotated.ts"));
        assertThat(api.awaitEnd(run).path("output")).hasToString("[\"1.2.0\",\"1.2.0\",true,\"trusted\",[]]");
        assertThat(api.logText(run, "system")).doesNotContain("Choosing");
        assertThat(cli.run("scripts", "packages", "packages/annotated.ts", "--pin")
                        .output())
                .isEqualTo("npm:@millrace/pack@1.2.0\n");
        Path bad = Files.writeString(folder.resolve("bad.bun.ts"), "import 'millraceabsent';\n");
        Cli.Outcome refused = cli.run("scripts", "deploy", bad.toString(), "--path", "packages/bad.bun.ts", "--wait");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors())
                .contains("The packages of this script cannot be had. bun says: ", "millraceabsent@latest failed");
    }

    @Test
    void aPackageThatDoesNotExistFailsTheJobInTheWordsOfTheResolver() throws IOException {
        String source = "# /// script\n# dependencies = ['millraceabsent']\n# ///\ndef main():\n    pass\n";
        var cli = new Cli(cluster.gatewayUrl());

        Cli.Outcome deployed = cli.run(
                "scripts",
                "deploy",
                Files.writeString(folder.resolve("bad.py"), source).toString(),
                "--path",
                "packages/bad.py",
                "--wait");
        JsonNode error = api.runToEnd(script("packages/bad.py")).path("error");

        assertThat(deployed.exitCode()).isEqualTo(1);
        assertThat(deployed.errors()).contains("The packages of this script cannot be chosen. uv says: ");
        assertThat(error.path("name").asText()).isEqualTo("LoadError");
        assertThat(error.path("message").asText())
                .startsWith("The packages of this script cannot be chosen. uv says: ")
                .contains("millraceabsent");
    }

    /** Neither uv nor what it has started outlives a worker, and the next worker starts again. */
    @Test
    void aWorkerThatIsKilledWhileItInstallsLeavesNothingThatRunsOrIsUsed() throws Exception {
        index.publishSource("millraceslow", "1.0", SLOW_BUILDER.replace("%1$r", "'" + folder + "'"));
        for (String pipe : List.of("builder", "never")) {
            new ProcessBuilder("mkfifo", folder.resolve(pipe).toString())
                    .start()
                    .waitFor();
        }
        String run = api.post("/api/v1/scripts", Map.of("path", "packages/slow.py", "content", """
                        # /// script
                        # dependencies = ['millraceslow']
                        # ///
                        import millraceslow

                        def main():
                            return millraceslow.VERSION
                        """ + once()))
                .ok()
                .path("package_run_id")
                .asText();
        ProcessHandle builder = ProcessHandle.of(Long.parseLong(Files.readString(folder.resolve("builder"))))
                .orElseThrow();
        List<ProcessHandle> programs = Stream.iterate(
                        builder, ProcessHandle::isAlive, one -> one.parent().orElseThrow())
                .limit(2)
                .toList();
        ServiceProcess worker = cluster.worker(0).pid()
                        == programs.getLast().parent().orElseThrow().pid()
                ? cluster.worker(0)
                : cluster.worker(1);

        worker.kill();

        Await.until(
                "the programs of the killed worker have ended",
                Api.PATIENCE,
                () -> programs.stream().noneMatch(ProcessHandle::isAlive),
                programs::toString);
        Files.createFile(folder.resolve("killed"));
        worker.start();
        assertThat(api.awaitEnd(run).path("state").asText()).isEqualTo("succeeded");
        assertThat(output(script("packages/slow.py"))).isEqualTo("1.0");
    }

    /** A line that is different each time, because the folders of workers outlive the test. */
    private static String once() {
        return "# " + folder + "\n";
    }

    private static String output(Map<String, Object> run) {
        return api.runToEnd(run).path("output").asText();
    }

    /** A run that fetches a text from the registry, whose certificate it can only trust by what the worker knows. */
    private static Map<String, Object> fetching(String path) {
        registry.serve("text.ts", "trusted");
        return Map.of("target", Map.of("script", path), "input", Map.of("url", registry.address() + "text.ts"));
    }

    private static Map<String, Object> script(String path) {
        return Map.of("target", Map.of("script", path));
    }

    /** Publishes a version of a package with one module, which knows its version. */
    private static void publish(String version) throws IOException {
        index.publish("millracewheel", version, "VERSION = '" + version + "'\n");
    }
}
