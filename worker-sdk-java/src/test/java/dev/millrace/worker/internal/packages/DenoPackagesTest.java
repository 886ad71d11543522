package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.harness.Await;
import dev.millrace.harness.MillraceHome;
import dev.millrace.harness.NpmRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages for Deno, chosen and installed by real Deno from a registry on this machine. */
class DenoPackagesTest {
    private static final Path DENO = MillraceHome.find().path().resolve("worker-runtime-deno/node_modules/deno/deno");

    @TempDir
    private Path folder = Path.of("");

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final KeptLocks locks = new KeptLocks();
    private NpmRegistry registry;
    private JavaScriptSources sources;

    @BeforeEach
    void publish() throws IOException {
        registry = new NpmRegistry();
        registry.publish("millraceone", "1.0.0", "exports.VALUE = 1;\n");
        Files.createDirectory(folder.resolve("home"));
        script("import { VALUE } from 'npm:millraceone@1';\nexport const main = () => VALUE;\n");
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private void script(String source) throws IOException {
        Path tree = Files.createDirectories(folder.resolve("script"));
        Path file = Files.writeString(tree.resolve("one.ts"), source);
        List<String> hosts = List.of(registry.address().replaceFirst("^http://([^/]+).*", "$1"));
        sources =
                new JavaScriptSources(file, tree, "data:application/json,{}", Optional.empty(), ImportHosts.of(hosts));
    }

    private JavaScriptPackages worker(String name) throws IOException {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.put("NPM_CONFIG_REGISTRY", registry.address());
        variables.put("HOME", folder.resolve("home").toString());
        return JavaScriptPackages.forDeno(
                new JavaScriptPackages.Place(
                        folder.resolve(name), folder.resolve("deno"), 1 << 30, UnwalledInstallers.with(variables)),
                DENO);
    }

    private PreparedPackages prepare(JavaScriptPackages worker) throws IOException, PackageException {
        return worker.prepare("v1", sources, locks, log::add);
    }

    /** Names of the sets of a worker, and what it has left unfinished. */
    private List<String> sets(String worker) throws IOException {
        return Folders.list(folder.resolve(worker).resolve("deno2")).stream()
                .map(set -> String.valueOf(set.getFileName()))
                .toList();
    }

    @Test
    void anotherWorkerInstallsWhatTheFirstOneHasChosen() throws Exception {
        registry.serve("mod.ts", "export const N: number = 1;\n");
        script("import 'npm:millraceone@1';\nimport '" + registry.address() + "mod.ts';\n");
        Map<String, String> chosen = prepare(worker("a")).versions();
        registry.publish("millraceone", "1.1.0", "exports.VALUE = 2;\n");

        assertThat(chosen).containsEntry("npm:millraceone", "1.0.0").containsKey(registry.address() + "mod.ts");
        assertThat(prepare(worker("b")).versions()).isEqualTo(chosen);
        assertThat(sets("b")).isEqualTo(sets("a")).hasSize(1);
        assertThat(log.get(0)).isEqualTo("Choosing versions of packages …\n");
        assertThat(log).last().asString().contains("Installed ", "npm:millraceone 1.0.0");
        assertThat(worker("c").prepare("v2", sources, new KeptLocks(), log::add).versions())
                .containsEntry("npm:millraceone", "1.1.0");
    }

    @Test
    void installedPackagesNeedNoRegistry() throws Exception {
        Path set = prepare(worker("a")).folders().get(0);
        registry.close();

        assertThat(prepare(worker("a")).folders()).containsExactly(set);
        assertThat(DenoSet.lock(set)).content().isEqualTo(locks.locks.get("deno2"));
        assertThat(set.resolve("npm/packages.invalid/millraceone/1.0.0/index.js"))
                .exists();
    }

    @Test
    void workersThatChooseAtTheSameTimeAgree() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<PreparedPackages>> started = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            started.add(threads.submit(() -> prepare(worker("shared"))));
        }
        for (Future<PreparedPackages> one : started) {
            assertThat(one.get(60, TimeUnit.SECONDS).versions()).containsOnly(Map.entry("npm:millraceone", "1.0.0"));
        }
        threads.shutdown();

        assertThat(sets("shared")).hasSize(1);
    }

    @Test
    void whatAKilledInstallationLeftIsNotUsed() throws Exception {
        CountDownLatch arrived = registry.hold("millraceone-1.0.0.tgz");
        CompletableFuture<PackageException> failure = CompletableFuture.supplyAsync(
                () -> catchThrowableOfType(PackageException.class, () -> prepare(worker("a"))));
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        Path unfinished = Files.createDirectory(folder.resolve("a/deno2/new-left"));

        Await.until("the installer is killed", Duration.ofSeconds(60), () -> killInstaller() > 0);

        assertThat(failure.get(60, TimeUnit.SECONDS).isPassing()).isTrue();
        assertThat(locks.locks).isEmpty();
        assertThat(prepare(worker("a")).folders()).hasSize(1).doesNotContain(unfinished);
    }

    private long killInstaller() {
        return ProcessHandle.current()
                .descendants()
                .filter(one -> one.info().command().orElse("").endsWith("deno"))
                .filter(ProcessHandle::destroyForcibly)
                .count();
    }

    @Test
    void saysInTheWordsOfDenoWhatCannotBeHad() throws Exception {
        script("import 'npm:millraceabsent';\n");
        PackageException absent = catchThrowableOfType(PackageException.class, () -> prepare(worker("a")));
        script("import '" + registry.address() + "absent.ts';\n");
        PackageException notFound = catchThrowableOfType(PackageException.class, () -> prepare(worker("a")));
        script("import 'http://127.0.0.1:1/mod.ts';\n");
        PackageException unreachable = catchThrowableOfType(PackageException.class, () -> prepare(worker("a")));

        assertThat(absent)
                .hasMessageStartingWith("The packages of this script cannot be had. deno says: error: npm package")
                .hasMessageContaining("'millraceabsent' does not exist")
                .hasMessageContaining("at one.ts:1:")
                .hasMessageNotContaining(folder.toString());
        assertThat(absent.isPassing()).isFalse();
        assertThat(notFound.isPassing()).as("%s", notFound).isFalse();
        assertThat(unreachable.isPassing()).as("%s", unreachable).isTrue();
    }

    @Test
    void aModuleThatChangedAtItsAddressIsRefused() throws Exception {
        registry.serve("mod.ts", "export const N: number = 1;\n");
        script("import '" + registry.address() + "mod.ts';\n");
        prepare(worker("a")).close();
        registry.serve("mod.ts", "export const N: number = 2;\n");

        PackageException refused = catchThrowableOfType(PackageException.class, () -> prepare(worker("b")));

        assertThat(refused).hasMessageContaining("Integrity check failed");
        assertThat(refused.isPassing()).isFalse();
    }

    @Test
    void privateRegistriesAreReachedWithTheTokenOfNpm() throws Exception {
        registry.require("sesame");
        assertThat(catchThrowableOfType(PackageException.class, () -> prepare(worker("a"))))
                .isNotNull();
        Files.writeString(
                folder.resolve("home/.npmrc"), registry.address().replace("http:", "") + ":_authToken=sesame\n");

        assertThat(prepare(worker("a")).versions()).containsEntry("npm:millraceone", "1.0.0");
    }

    @Test
    void aScriptOfOwnFilesOnlyChoosesNothing() throws Exception {
        script("import fs from 'node:fs';\nexport const main = () => fetch('http://127.0.0.1:1/');\n");
        assertThat(prepare(worker("a"))).isSameAs(PreparedPackages.NONE);
        script("const text = `import x from 'npm:millraceabsent'`;\nexport const main = () => text;\n");
        assertThat(prepare(worker("a"))).isSameAs(PreparedPackages.NONE);

        assertThat(locks.locks).isEmpty();
    }

    @Test
    void packagesOutsideOfTheLimitGoUnlessAProcessUsesThem() throws Exception {
        JavaScriptPackages worker = JavaScriptPackages.forDeno(
                new JavaScriptPackages.Place(
                        folder.resolve("a"),
                        folder.resolve("deno"),
                        1,
                        UnwalledInstallers.with(
                                Map.of("NPM_CONFIG_REGISTRY", registry.address(), "HOME", folder.toString()))),
                DENO);
        PreparedPackages used = prepare(worker);
        Path set = used.folders().get(0);
        Path ofWorkspace = Files.createDirectories(
                folder.resolve("deno/team").resolve(DenoSet.LINKS).resolve(String.valueOf(set.getFileName())));
        Files.createSymbolicLink(ofWorkspace.resolve(DenoInstaller.NPM), set.resolve(DenoInstaller.NPM));
        Path foreign = Files.createDirectories(ofWorkspace.resolveSibling("foreign"));
        Files.createSymbolicLink(foreign.resolve(DenoInstaller.NPM), folder.resolve("elsewhere/npm"));
        worker.tidyUp();
        assertThat(set).exists();
        assertThat(ofWorkspace).exists();

        used.close();
        worker.tidyUp();

        assertThat(set).doesNotExist();
        assertThat(ofWorkspace).as("what the workspace had for it").doesNotExist();
        assertThat(foreign).exists();
    }
}
