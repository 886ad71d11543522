package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages for real Python, chosen and installed by real uv from an index in a folder. */
class PythonPackagesTest {
    private static final Path PYTHON = Path.of("/usr/bin/env");

    /** Keeps locks as the scheduler does: the first one counts. */
    private static final class Kept implements LockKeeper {
        final Map<String, String> locks = new ConcurrentHashMap<>();

        @Override
        public Optional<String> find(String interpreter) {
            return Optional.ofNullable(locks.get(interpreter));
        }

        @Override
        public String keep(String interpreter, String lock, List<String> inferred) {
            String before = locks.putIfAbsent(interpreter, lock);
            return before == null ? lock : before;
        }
    }

    @TempDir
    private static Path common;

    private static Path python = PYTHON;
    private static Path uv = PYTHON;

    @TempDir
    private Path folder;

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final Kept locks = new Kept();
    private Wheels index = new Wheels(Path.of(""));

    @BeforeAll
    static void findPrograms() throws Exception {
        python = Path.of(say(List.of("python3", "-c", "import sys; print(sys.executable)")));
        // The worker's own way to get uv, once for all tests.
        Uv own = new Uv(common, UnwalledInstallers.with(System.getenv()), name -> Optional.empty());
        uv = own.program(new PythonInterpreter(python, List.of(), UnwalledInstallers.with(System.getenv())));
    }

    @BeforeEach
    void publish() throws IOException {
        index = new Wheels(Files.createDirectory(folder.resolve("index")));
        index.publish("millraceone", "1.0", "VALUE = 1\n");
        index.publish("millraceone", "1.1", "VALUE = 11\n");
        index.publish("millracetwo", "2.0", "from millraceone import VALUE\nTWICE = 2 * VALUE\n", "millraceone<2");
    }

    @Test
    void aScriptThatImportsWhatPythonHasNeedsNoUv() throws Exception {
        assertThat(prepare(worker("a"), "import json, os.path\nfrom millrace import current\n"))
                .isEmpty();

        assertThat(log).isEmpty();
        assertThat(locks.locks).isEmpty();
    }

    @Test
    void installsWhatAScriptDeclaresWithAllThatItNeeds() throws Exception {
        PythonPackages worker = worker("a");
        String source = "# /// script\n# dependencies = ['millracetwo==2.*']\n# ///\nimport millracetwo\n";

        assertThat(run(prepare(worker, source), "import millracetwo; print(millracetwo.TWICE)"))
                .isEqualTo("22");
        assertThat(String.join("", log))
                .contains("Installing 2 packages …", "Installed millraceone 1.1, millracetwo 2.0 in ");

        log.clear();
        assertThat(prepare(worker, source)).hasSize(2);
        assertThat(prepare(worker("a"), source)).hasSize(2);
        assertThat(log).isEmpty();
    }

    @Test
    void leavesOutWhatOnlyOtherMachinesNeed() throws Exception {
        String source = """
                # /// script
                # dependencies = ['millraceone==1.0 ; sys_platform == "win32"', 'millraceone==1.1 ; sys_platform != "win32"']
                # ///
                """;

        List<Path> path = prepare(worker("a"), source);

        assertThat(run(path, "import millraceone; print(millraceone.VALUE)")).isEqualTo("11");
        assertThat(path).hasSize(1);
        assertThat(log).noneMatch(line -> line.contains("millraceone 1.0"));
    }

    @Test
    void infersPackagesFromImportsThatNothingProvidesFor() throws Exception {
        String source = """
                import json
                try:
                    import absent_and_provided_for
                except ImportError:
                    pass
                def main():
                    '''
                    import absent_and_only_documented
                    '''
                    import millraceone
                """;

        List<Path> path = prepare(worker("a"), source);

        assertThat(run(path, "import millraceone; print(millraceone.VALUE)")).isEqualTo("11");
        assertThat(log.get(0))
                .isEqualTo("Packages inferred from imports: millraceone. List them in the script to choose"
                        + " versions (PEP 723).\n");
    }

    @Test
    void aChoiceThatWasKeptCountsAlthoughThereAreNewerVersions() throws Exception {
        String source = "import millraceone\n";
        prepare(worker("a"), source);
        index.publish("millraceone", "1.2", "VALUE = 12\n");

        assertThat(run(prepare(worker("b"), source), "import millraceone; print(millraceone.VALUE)"))
                .isEqualTo("11");
        assertThat(locks.locks.values()).allMatch(lock -> lock.contains("millraceone==1.1") && lock.contains("sha256"));
    }

    @Test
    void saysInTheWordsOfUvWhatIsWrong() throws IOException {
        PackageException failure = catchThrowableOfType(
                PackageException.class,
                () -> prepare(worker("a"), "# /// script\n# dependencies = ['millraceone>7']\n# ///\n"));

        assertThat(failure.isPassing()).isFalse();
        assertThat(failure)
                .hasMessageStartingWith("The packages of this script cannot be chosen. uv says: ")
                .hasMessageContaining("millraceone")
                .hasMessageContaining("unsatisfiable");
        assertThat(locks.locks).isEmpty();
    }

    @Test
    void aScriptWhoseImportsCannotBeHadBeginsWithoutThem() throws Exception {
        PythonPackages worker = worker("a");
        String source = "def never():\n    import millraceabsent\n";

        assertThat(prepare(worker, source)).isEmpty();
        assertThat(prepare(worker, source)).isEmpty();

        assertThat(log).hasSize(3);
        assertThat(log.get(2))
                .startsWith("The script begins without them. The packages of this script cannot be chosen. uv says: ")
                .contains("millraceabsent");
    }

    @Test
    void anImportThatNobodyCanSatisfyTakesNoOtherPackageAway() throws Exception {
        PythonPackages worker = worker("a");
        String source = "import millraceabsent, millraceone, millrace_gone\n";

        PreparedPackages prepared = prepared(worker, source);

        assertThat(run(prepared.folders(), "import millraceone; print(millraceone.VALUE)"))
                .isEqualTo("11");
        assertThat(prepared.absent()).containsOnlyKeys("millraceabsent", "millrace_gone");
        assertThat(prepared.absent().get("millrace_gone"))
                .isEqualTo(
                        "No package was installed for the import of millrace_gone: the index has none that is"
                                + " called millrace_gone, or the script goes on without it. List the one that has the module in the script (PEP 723), or correct the import.");
        assertThat(prepared(worker, source).absent()).isEqualTo(prepared.absent());
        assertThat(log).anyMatch(line -> line.contains("as there is no such package"));
    }

    @Test
    void obeysListsInTheFormOfWindmill() throws Exception {
        for (String source : List.of(
                "#requirements:\n#millraceone==1.0\nimport millraceone\n",
                "# extra_requirements:\n# millraceone==1.0\nimport os\n",
                "import millraceone # pin: millraceone==1.0\n")) {
            locks.locks.clear();
            assertThat(run(prepare(worker("a"), source), "import millraceone; print(millraceone.VALUE)"))
                    .as(source)
                    .isEqualTo("1");
        }
        locks.locks.clear();
        assertThat(prepare(worker("a"), "#requirements:\nimport millraceone\n")).isEmpty();
    }

    @Test
    void takesNoStrangersPackageForTheHeadOfANamespace() throws Exception {
        index.publish("google", "3.0", "VALUE = 'stranger'\n");
        index.publish("googleapis_common_protos", "1.0", "VALUE = 'api'\n");
        PythonPackages worker = worker("a");
        String source = "import google.nothing\nimport millraceone\nfrom google import api\n";

        PreparedPackages prepared = prepared(worker, source);

        assertThat(prepared.folders())
                .extracting(folder -> folder.getFileName().toString().split("-")[0])
                .containsExactlyInAnyOrder("millraceone", "googleapis");
        assertThat(log.get(0))
                .startsWith("No package was inferred for the import of google.nothing: many packages share");
        assertThat(prepared.absent().get("google")).contains("google");
        assertThat(prepared(worker, source).absent()).isEqualTo(prepared.absent());
    }

    @Test
    void saysWhichModuleHasNoPackageAlthoughNoneIsInstalled() throws Exception {
        PythonPackages worker = worker("a");

        assertThat(prepared(worker, "import azure\n").absent().get("azure")).contains("the namespace azure");
        assertThat(prepared(worker, "import azure\n").absent().get("azure")).contains("the namespace azure");
        assertThat(prepared(worker, "import millraceabsent\n").absent().get(PreparedPackages.OTHERS))
                .contains("millraceabsent", "uv says: ");
    }

    @Test
    void refusesAPackageThatHasChangedSinceItWasChosen() throws Exception {
        String source = "import millraceone\n";
        prepare(worker("a"), source);
        index.publish("millraceone", "1.1", "VALUE = 'changed'\n");

        PackageException failure = catchThrowableOfType(PackageException.class, () -> prepare(worker("b"), source));

        assertThat(failure).hasMessageContaining("millraceone 1.1").hasMessageContainingAll("Hash mismatch");
    }

    @Test
    void workersThatShareACacheInstallTheSameAtOnce() throws Exception {
        String source = "import millracetwo\n";
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<List<Path>>> started = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                PythonPackages worker = worker("shared");
                started.add(threads.submit(() -> prepare(worker, source)));
            }
            List<Path> first = started.get(0).get();
            for (Future<List<Path>> other : started) {
                assertThat(other.get()).isEqualTo(first);
            }
            assertThat(run(first, "import millracetwo; print(millracetwo.TWICE)"))
                    .isEqualTo("22");
        } finally {
            threads.shutdownNow();
        }
        try (Stream<Path> left = Files.walk(folder.resolve("shared"), 2)) {
            assertThat(left.filter(file -> String.valueOf(file.getFileName()).startsWith("new-")))
                    .isEmpty();
        }
    }

    @Test
    void aFullDiskFailsTheAttemptAndLeavesNothingThatIsHalf() throws Exception {
        index.publish("millracelarge", "1.0", "VALUE = 1\n#" + "x".repeat(300_000) + "\n");
        String source = "# /// script\n# dependencies = ['millracelarge']\n# ///\n";
        prepare(worker("a"), source);

        PackageException failure = catchThrowableOfType(
                PackageException.class, () -> prepare(worker("b", List.of("prlimit", "--fsize=100000")), source));

        assertThat(failure.isPassing()).isTrue();
        assertThat(failure)
                .hasMessageMatching(
                        "(?s)The package millracelarge 1.0 cannot be installed. uv (says: .+|ended with code .+ and said nothing.)");
        assertThat(run(prepare(worker("b"), source), "import millracelarge; print(millracelarge.VALUE)"))
                .isEqualTo("1");
        try (Stream<Path> left = Files.walk(folder.resolve("b"), 2)) {
            assertThat(left.filter(file -> String.valueOf(file.getFileName()).startsWith("new-")))
                    .isEmpty();
        }
    }

    /** A folder that a killed worker left half-written is no entry of the cache. */
    @Test
    void usesNothingThatIsNotComplete() throws Exception {
        String source = "import millraceone\n";
        List<Path> path = prepare(worker("a"), source);
        Path entry = path.get(0);
        Files.move(entry, entry.resolveSibling("new-123456"));

        List<Path> again = prepare(worker("a"), source);

        assertThat(run(again, "import millraceone; print(millraceone.VALUE)")).isEqualTo("11");
    }

    private PythonPackages worker(String name) throws IOException {
        return worker(name, List.of());
    }

    private PythonPackages worker(String name, List<String> beginning) throws IOException {
        var variables = new HashMap<String, String>();
        variables.put("PATH", System.getenv("PATH"));
        Path settings = folder.resolve("uv.toml");
        Files.writeString(settings, "no-index = true\nfind-links = [\"" + index.folder() + "\"]\n");
        variables.put("UV_CONFIG_FILE", settings.toString());
        return PythonPackages.in(
                folder.resolve(name),
                python,
                List.of(),
                Long.MAX_VALUE,
                true,
                UnwalledInstallers.with(variables, beginning),
                program -> Optional.of(uv));
    }

    private List<Path> prepare(PythonPackages worker, String source) throws IOException, PackageException {
        return prepared(worker, source).folders();
    }

    private PreparedPackages prepared(PythonPackages worker, String source) throws IOException, PackageException {
        Path script = Files.createTempFile(folder, "script", ".py");
        Files.writeString(script, source);
        return worker.prepare(
                "default-" + Integer.toHexString(source.hashCode()),
                PythonSources.of(script, Optional.empty()),
                locks,
                log::add);
    }

    private static String run(List<Path> path, String code) throws Exception {
        List<String> command = new ArrayList<>(List.of(python.toString(), "-c"));
        command.add("import sys; sys.path[0:0] = sys.argv[1:]; " + code);
        path.forEach(folder -> command.add(folder.toString()));
        return say(command);
    }

    private static String say(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
}
