package dev.millrace.e2e.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scripts leave their sandbox by what a worker does for them before they start: by a package whose build is an attack, and by
 * imports from the worker's own network.
 */
@Tag("nightly")
final class PreparationAttackTest {
    /** A backend of builds that proves that it ran. */
    private static final String BACKEND = """
            def _prove():
                open(%s, "a").write("ran")

            _prove()

            def get_requires_for_build_wheel(config_settings=None):
                return []

            def build_wheel(*arguments, **options):
                raise SystemExit(1)
            """;

    private static final String PROJECT = """
            [build-system]
            requires = []
            build-backend = "backend"
            backend-path = ["."]
            [project]
            name = "evil"
            dynamic = ["version"]
            """;

    /** How errors say that something is refused, so that no attack fails because of a mistake in it. */
    private static final Pattern REFUSAL = Pattern.compile(
            "This worker (?:does not install|does not use the index|gets no packages"
                    + "|has a sandbox and installs only wheels)|may not import|Requires import access|Distribution not found at: file:|ENOENT reading");

    @TempDir
    private static Path folder;

    private static Postgres postgres;
    private static Cluster cluster;
    private static Api api;
    private static HttpServer trusted;
    private static HttpServer inside;

    /** What the server that the operator trusts has. */
    private static final Map<String, byte[]> FILES = new ConcurrentHashMap<>();

    /** What was asked of the server in the worker's network. */
    private static final Queue<String> ASKED = new ConcurrentLinkedQueue<>();

    /** Scripts, by what they try. */
    private record Attack(String name, String ending, String text) {
        String path() {
            return "prepared/" + name + ending;
        }
    }

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(works("bwrap", "--ro-bind", "/", "/", "--unshare-user", "true"), "bubblewrap works here");
        trusted = serve(PreparationAttackTest::answer);
        inside = serve(exchange -> {
            ASKED.add(String.valueOf(exchange.getRequestURI()));
            send(exchange, 200, "application/json", "{\"secret\": \"of the network\"}".getBytes(UTF_8));
        });
        Path evil = Files.createDirectory(folder.resolve("evil"));
        Files.writeString(evil.resolve("pyproject.toml"), PROJECT);
        Files.writeString(evil.resolve("backend.py"), BACKEND.formatted("'" + folder.resolve("proof") + "'"));
        FILES.put("/evil-1.0.tar.gz", archive(evil));
        postgres = Postgres.start();
        cluster = Cluster.start(
                "preparation-attack",
                postgres,
                ClusterPlan.small()
                        .with("millrace.worker.sandbox", "bwrap")
                        .with("millrace.worker.package-hosts", host(trusted))
                        .with("millrace.worker.import-hosts", host(trusted)));
        api = new Api(cluster.gatewayUrl());
        api.awaitReady();
    }

    @AfterAll
    static void stop() {
        Stream.of(trusted, inside).filter(server -> server != null).forEach(server -> server.stop(0));
        if (cluster != null) {
            cluster.close();
            postgres.close();
        }
    }

    /** An archive with the source of a package, as {@code sdist} makes it. */
    private static byte[] archive(Path evil) throws IOException {
        Files.writeString(evil.resolve("PKG-INFO"), "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n");
        Path file = folder.resolve("evil.tar.gz");
        assertThat(works(
                        "tar",
                        "-czf",
                        file.toString(),
                        "-C",
                        folder.toString(),
                        "--transform=s/^evil/evil-1.0/",
                        "evil"))
                .isTrue();
        return Files.readAllBytes(file);
    }

    private static boolean works(String... command) {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    private static HttpServer serve(com.sun.net.httpserver.HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", handler);
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.startsWith("/elsewhere/")) {
            exchange.getResponseHeaders().set("Location", "http://" + host(inside) + path);
            send(exchange, 302, "text/plain", new byte[0]);
        } else {
            byte[] file = FILES.get(path);
            String type = path.endsWith(".ts") ? "application/typescript" : "application/octet-stream";
            send(exchange, file == null ? 404 : 200, type, file == null ? new byte[0] : file);
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isHead || body.length == 0 ? -1 : body.length);
        if (!isHead) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private static String host(HttpServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static String publish(String name, String requires) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            String info = name + "-1.0.dist-info/";
            for (Map.Entry<String, String> file : Map.of(
                            name + ".py",
                            "VALUE = 7\n",
                            info + "METADATA",
                            "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n" + requires,
                            info + "WHEEL",
                            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                            info + "RECORD",
                            name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n")
                    .entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(UTF_8));
                zip.closeEntry();
            }
        }
        String path = "/" + name + "-1.0-py3-none-any.whl";
        FILES.put(path, bytes.toByteArray());
        return "http://" + host(trusted) + path;
    }

    private static Attack declares(String name, String metadata) {
        return new Attack(
                name,
                ".py",
                "# /// script\n# " + metadata.replace("\n", "\n# ") + "\n# ///\ndef main():\n    return 1\n");
    }

    private static Attack imports(String name, String statement, String returned) {
        return new Attack(name, ".ts", statement + "\nexport async function main() { return " + returned + "; }\n");
    }

    private static JsonNode run(Attack attack) {
        api.deployScript(attack.path(), attack.text());
        return api.runToEnd(Map.of("target", Map.of("script", attack.path()), "input", Map.of()));
    }

    @TestFactory
    Stream<DynamicTest> nothingThatAScriptDeclaresOrImportsLeavesItsSandbox() throws IOException {
        String evil = folder.resolve("evil").toString();
        String network = "http://" + host(inside);
        String asJson = " with { type: 'json' };";
        FILES.put("/leads.ts", ("export { default } from '" + network + "/lead.json'" + asJson).getBytes(UTF_8));
        List<Attack> attacks = List.of(
                declares("file", "dependencies = ['evil @ file://" + evil + "']"),
                declares("path", "dependencies = ['" + evil + "']"),
                declares("source", "dependencies = ['evil']\n[tool.uv.sources]\nevil = { path = '" + evil + "' }"),
                declares("repository", "dependencies = ['evil @ git+file://" + evil + "']"),
                declares("address", "dependencies = ['evil @ " + network + "/evil-1.0.tar.gz']"),
                declares("index", "dependencies = ['evil']\n[[tool.uv.index]]\nurl = '" + network + "/simple'"),
                declares("archive", "dependencies = ['evil @ http://" + host(trusted) + "/evil-1.0.tar.gz']"),
                declares(
                        "names_archive",
                        "dependencies = ['third @ "
                                + publish(
                                        "third", "Requires-Dist: evil @ http://" + host(trusted) + "/evil-1.0.tar.gz\n")
                                + "']"),
                declares(
                        "moved",
                        "dependencies = ['evil @ http://" + host(trusted) + "/elsewhere/evil-1.0-py3-none-any.whl']"),
                declares(
                        "names_file",
                        "dependencies = ['outer @ " + publish("outer", "Requires-Dist: evil @ file://" + evil + "\n")
                                + "']"),
                declares(
                        "names_address",
                        "dependencies = ['other @ "
                                + publish("other", "Requires-Dist: evil @ " + network + "/evil-1.0-py3-none-any.whl\n")
                                + "']"),
                new Attack("header", ".py", "# requirements:\n# file://" + evil + "\ndef main():\n    return 1\n"),
                imports("static", "import it from '" + network + "/static.json'" + asJson, "it"),
                imports("module", "import { it } from '" + network + "/module.ts';", "it"),
                imports("dynamic", "", "await import('" + network + "/dynamic.json', { with: { type: 'json' } })"),
                imports(
                        "computed",
                        "",
                        "await import(['" + network + "', 'computed.json'].join('/'),"
                                + " { with: { type: 'json' } })"),
                imports("dependency", "import it from 'http://" + host(trusted) + "/leads.ts';", "it"),
                imports("moved_module", "import { it } from 'http://" + host(trusted) + "/elsewhere/it.ts';", "it"),
                imports("bun", "// millrace: runtime=bun\nimport it from '" + network + "/bun.json';", "it"));
        return attacks.stream()
                .map(attack -> DynamicTest.dynamicTest(attack.name(), () -> {
                    JsonNode run = run(attack);

                    assertThat(run.path("state").asText()).as("%s", run).isEqualTo("failed");
                    assertThat(run.path("error").path("message").asText()).containsPattern(REFUSAL);
                    assertThat(folder.resolve("proof"))
                            .as("what a build has written")
                            .doesNotExist();
                    assertThat(ASKED).isEmpty();
                }));
    }

    @Test
    void whatTheOperatorTrustsIsInstalled() throws IOException {
        FILES.put("/seven.ts", "export const VALUE: number = 7;".getBytes(UTF_8));
        Attack python = new Attack(
                "wheel",
                ".py",
                "# /// script\n# dependencies = ['good @ " + publish("good", "")
                        + "']\n# ///\nimport good\ndef main():\n    return good.VALUE\n");
        Attack deno = imports("seven", "import { VALUE } from 'http://" + host(trusted) + "/seven.ts';", "VALUE");

        for (Attack one : List.of(python, deno)) {
            JsonNode run = run(one);
            assertThat(run.path("output").asInt()).as("%s", run).isEqualTo(7);
        }
    }
}
