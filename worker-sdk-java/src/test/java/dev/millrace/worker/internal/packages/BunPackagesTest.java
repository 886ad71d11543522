package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.harness.Await;
import dev.millrace.harness.NpmRegistry;
import dev.millrace.worker.internal.language.Bun;
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

/** Packages for Bun, chosen and installed by real Bun from a registry on this machine. */
class BunPackagesTest {
    @TempDir
    private Path folder = Path.of("");

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final KeptLocks locks = new KeptLocks();
    private NpmRegistry registry;
    private JavaScriptSources sources;

    @BeforeEach
    void publish() throws IOException {
        assumeTrue(new Bun().version().isPresent(), "this machine has no bun");
        registry = new NpmRegistry();
        registry.publish("millraceone", "1.0.0", "exports.VALUE = 1;\n");
        Files.createDirectory(folder.resolve("home"));
        script("import { VALUE } from 'millraceone@1';\nexport const main = () => VALUE;\n");
    }

    @AfterEach
    void stop() {
        if (registry != null) {
            registry.close();
        }
    }

    private void script(String source) throws IOException {
        Path tree = Files.createDirectories(folder.resolve("script"));
        Path file = Files.writeString(tree.resolve("one.bun.ts"), source);
        sources = new JavaScriptSources(file, tree, "", Optional.empty(), new ImportHosts(List.of()));
    }

    private JavaScriptPackages worker(String name) throws IOException {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.put("NPM_CONFIG_REGISTRY", registry.address());
        variables.put("HOME", folder.resolve("home").toString());
        var place = new JavaScriptPackages.Place(
                folder.resolve(name), folder.resolve("deno"), 1 << 30, UnwalledInstallers.with(variables));
        return JavaScriptPackages.forBun(place, new Bun().program().orElseThrow());
    }

    private PreparedPackages prepare(JavaScriptPackages worker) throws IOException, PackageException {
        return worker.prepare("v1", sources, locks, log::add);
    }

    private PackageException refusal(String source) throws IOException {
        script(source);
        return catchThrowableOfType(PackageException.class, () -> prepare(worker("refused")));
    }

    @Test
    void anotherWorkerInstallsWhatTheFirstOneHasChosen() throws Exception {
        registry.publish("millracetwo", "3.0.0", "");
        Files.createDirectories(folder.resolve("script/lib"));
        Files.writeString(folder.resolve("script/lib/more.ts"), "import 'millracetwo';\n");
        script(
                "import 'npm:millraceone@1/index.js';\nimport './lib/more.ts';\nimport 'node:fs';\nimport type X from 'absent';\n");
        PreparedPackages first = prepare(worker("a"));
        registry.publish("millraceone", "1.1.0", "exports.VALUE = 2;\n");

        assertThat(first.versions())
                .isEqualTo(Map.of("npm:millraceone", "1.0.0", "npm:millracetwo", "3.0.0"))
                .isEqualTo(prepare(worker("b")).versions());
        assertThat(log).last().asString().contains("Installed npm:millraceone 1.0.0, npm:millracetwo 3.0.0 in ");
        assertThat(worker("c").prepare("v2", sources, new KeptLocks(), log::add).versions())
                .containsEntry("npm:millraceone", "1.1.0");
        registry.close();
        Path set = prepare(worker("b")).folders().get(0);
        assertThat(Folders.list(set))
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder("bun.lock", "node_modules");
        assertThat(BunSet.modules(set).resolve("millraceone@1/index.js")).exists();
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

        assertThat(Folders.list(folder.resolve("shared/bun1"))).hasSize(1);
    }

    @Test
    void whatAKilledInstallationLeftIsNotUsed() throws Exception {
        CountDownLatch arrived = registry.hold("millraceone-1.0.0.tgz");
        CompletableFuture<PackageException> failure = CompletableFuture.supplyAsync(
                () -> catchThrowableOfType(PackageException.class, () -> prepare(worker("a"))));
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        Path unfinished = Files.createDirectory(folder.resolve("a/bun1/new-left"));

        Await.until("the installer is killed", Duration.ofSeconds(60), () -> killInstaller() > 0);

        assertThat(failure.get(60, TimeUnit.SECONDS).isPassing()).isTrue();
        assertThat(locks.locks).isEmpty();
        assertThat(prepare(worker("a")).folders()).hasSize(1).doesNotContain(unfinished);
    }

    private static long killInstaller() {
        return ProcessHandle.current()
                .descendants()
                .filter(one -> one.info().command().orElse("").endsWith("bun.exe"))
                .filter(ProcessHandle::destroyForcibly)
                .count();
    }

    @Test
    void saysInTheWordsOfBunWhatCannotBeHad() throws Exception {
        PackageException absent = refusal("import 'millraceabsent';\n");
        PackageException noVersion = refusal("import 'millraceone@7';\n");
        PackageException twoVersions = refusal("import 'millraceone@7';import 'npm:millraceone@8/x';\n");
        registry.require("sesame");
        PackageException forbidden = refusal("import 'millraceone';\n");
        registry.close();
        PackageException unreachable = refusal("import 'millraceone';\n");

        assertThat(absent)
                .hasMessageStartingWith("The packages of this script cannot be had. bun says: error: GET ")
                .hasMessageContaining("millraceabsent@latest failed to resolve");
        assertThat(absent.isPassing()).isFalse();
        assertThat(noVersion).hasMessageContaining("No version matching \"7\"");
        assertThat(noVersion.isPassing()).isFalse();
        assertThat(twoVersions).hasMessageContaining("imports millraceone@7 and millraceone@8.");
        assertThat(forbidden).hasMessageContaining("401");
        assertThat(unreachable.isPassing()).as("%s", unreachable).isTrue();
    }

    @Test
    void privateRegistriesAreReachedWithTheTokenOfNpm() throws Exception {
        registry.require("sesame");
        Files.writeString(
                folder.resolve("home/.npmrc"), registry.address().replace("http:", "") + ":_authToken=sesame\n");

        assertThat(prepare(worker("a")).versions()).containsEntry("npm:millraceone", "1.0.0");
    }

    @Test
    void aScriptOfOwnFilesOnlyChoosesNothing() throws Exception {
        script("import fs from 'fs';import { $ } from 'bun';import { current } from 'millrace';\n");
        assertThat(prepare(worker("a"))).isSameAs(PreparedPackages.NONE);
        script("const text = `import x from 'millraceabsent'`;\nexport const main = () => text;\n");
        assertThat(prepare(worker("a"))).isSameAs(PreparedPackages.NONE);

        assertThat(locks.locks).isEmpty();
    }

    @Test
    void obeysTheLockOfAnExportedScript() throws Exception {
        registry.publish("millracetwo", "1.0.0", "exports.VALUE = 2;\n");
        script("import { VALUE } from 'millracetwo';\nexport const main = () => VALUE;\n");
        try (PreparedPackages first = prepare(worker("a"))) {
            assertThat(first.versions()).containsEntry("npm:millracetwo", "1.0.0");
        }
        String lock = locks.locks.get("bun1");
        registry.publish("millracetwo", "1.1.0", "exports.VALUE = 21;\n");
        Files.writeString(
                sources.folder().resolve("one.lock"),
                "{\"dependencies\": {\"millracetwo\": \"latest\"}}\n//bun.lock\n" + lock);
        locks.locks.clear();

        try (PreparedPackages again = worker("b").prepare("v2", sources, locks, log::add)) {
            assertThat(again.versions()).containsEntry("npm:millracetwo", "1.0.0");
        }
        try (PreparedPackages elsewhere = worker("c").prepare("v2", sources, locks, log::add)) {
            assertThat(elsewhere.versions()).containsEntry("npm:millracetwo", "1.0.0");
        }
    }
}
