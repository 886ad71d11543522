package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.ConnectProxy;
import dev.millrace.harness.NpmRegistry;
import dev.millrace.harness.PackageIndex;
import dev.millrace.harness.PackageIndexServer;
import dev.millrace.harness.Postgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers in the network of a company: packages come from private registries, which only a proxy reaches and which have
 * certificates of the company's own authority.
 */
@Tag("nightly")
final class CompanyNetworkTest {
    /** The version of uv that workers fetch from the index where it is not installed. */
    private static final String UV = "uv==0.13.9";

    private static final String PYTHON_HOST = "python.company.test";
    private static final String NPM_HOST = "npm.company.test";
    private static final String JSR_HOST = "jsr.company.test";

    @TempDir
    private static Path folder;

    private static ConnectProxy proxy;
    private static PackageIndexServer index;
    private static NpmRegistry npm;
    private static NpmRegistry jsr;
    private static Postgres postgres;
    private static Cluster cluster;
    private static Api api;

    @BeforeAll
    static void start() throws Exception {
        String[] certificates = {"certs", "dev", "--out", folder.toString(), "--host", PYTHON_HOST, NPM_HOST, JSR_HOST};
        assertThat(new Cli(Map.of()).run(certificates).exitCode()).isZero();
        Path certificate = folder.resolve("server.pem");
        Path key = folder.resolve("server.key");
        var wheels = new PackageIndex(Files.createDirectory(folder.resolve("wheels")));
        wheels.publish("millracecompany", "1.0", "VERSION = '1.0'\n");
        mirror(UV, wheels.folder());
        index = new PackageIndexServer(wheels, certificate, key, "reader", "pass word");
        npm = new NpmRegistry(NPM_HOST, certificate, key);
        jsr = new NpmRegistry(JSR_HOST, certificate, key);
        proxy = new ConnectProxy();
        proxy.lead(PYTHON_HOST, index.port());
        proxy.lead(NPM_HOST, npm.port());
        proxy.lead(JSR_HOST, jsr.port());
        String authority = folder.resolve("ca.pem").toString();
        postgres = Postgres.start();
        cluster = Cluster.start(
                "company-network",
                postgres,
                ClusterPlan.small()
                        .with("https.proxy", proxy.address())
                        .with("ssl.cert.file", authority)
                        .with("pip.cert", authority)
                        .with("deno.cert", authority)
                        .with("pip.index.url", "https://reader:pass%20word@" + PYTHON_HOST + PackageIndexServer.PATH)
                        .with("jsr.url", jsr.address())
                        .with(NpmRegistry.SETTING, npm.address()));
        api = new Api(cluster.gatewayUrl());
        api.awaitReady();
        api.awaitWorkers("worker-0");
    }

    @AfterAll
    static void stop() {
        cluster.close();
        postgres.close();
        proxy.close();
        index.close();
        npm.close();
        jsr.close();
    }

    @Test
    void pythonGetsItsPackages() {
        assertThat(output("company/wheel.py", """
                from millracecompany import VERSION

                def main():
                    return VERSION
                """)).isEqualTo("1.0");

        assertThat(proxy.asked()).contains(PYTHON_HOST + ":443");
    }

    @Test
    void denoGetsItsPackages() throws Exception {
        npm.publish("@company/deno", "1.0.0", "exports.VERSION = '1.0.0';\n");
        publishToJsr("company", "text", "2.0.0", "export const VERSION: string = '2.0.0';\n");

        assertThat(output("company/both.ts", """
                import npm from "npm:@company/deno";
                import { VERSION } from "jsr:@company/text@^2";

                export function main(): string {
                  return `${npm.VERSION} and ${VERSION}`;
                }
                """)).isEqualTo("1.0.0 and 2.0.0");

        assertThat(proxy.asked()).contains(NPM_HOST + ":443", JSR_HOST + ":443");
    }

    @Test
    void bunGetsItsPackages() {
        assumeTrue(api.workers().get(0).toString().contains("\"bun\""), "this machine has no bun");
        npm.publish("@company/bun", "1.0.0", "exports.VERSION = '1.0.0';\n");

        assertThat(output("company/pack.bun.ts", """
                import { VERSION } from "@company/bun";
                export const main = (): string => VERSION;
                """)).isEqualTo("1.0.0");

        assertThat(proxy.asked()).contains(NPM_HOST + ":443");
    }

    /** Copies a public package into the company's index, as mirrors do. */
    private static void mirror(String requirement, Path wheels) throws Exception {
        Process pip = new ProcessBuilder(
                        "python3",
                        "-m",
                        "pip",
                        "download",
                        "--quiet",
                        "--no-deps",
                        "--dest",
                        wheels.toString(),
                        requirement)
                .inheritIO()
                .start();
        assertThat(pip.waitFor()).as("exit code of pip").isZero();
    }

    /** The output of the script's first run, or its error. */
    private static String output(String path, String source) {
        // The folders of workers outlive the test.
        api.deployScript(path, source + (path.endsWith(".py") ? "# " : "// ") + folder + "\n");
        JsonNode run = api.runToEnd(Map.of("target", Map.of("script", path)));
        return run.path("state").asText().equals("succeeded")
                ? run.path("output").asText()
                : run.toString();
    }

    /** Serves a package with one module by the rules of JSR's registry. */
    private static void publishToJsr(String scope, String name, String version, String module) throws Exception {
        String root = "@" + scope + "/" + name + "/";
        String checksum = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(module.getBytes(StandardCharsets.UTF_8)));
        jsr.serve(root + "meta.json", """
                {"scope": "%s", "name": "%s", "latest": "%s", "versions": {"%s": {}}}
                """.formatted(scope, name, version, version));
        jsr.serve(root + version + "_meta.json", """
                {"manifest": {"/mod.ts": {"size": %d, "checksum": "sha256-%s"}}, "exports": {".": "./mod.ts"}}
                """.formatted(module.length(), checksum));
        jsr.serve(root + version + "/mod.ts", module);
    }
}
