package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.Language;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptFile;
import dev.millrace.worker.internal.runtime.JobScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptStoreTest {
    private static final String CONTENT = "def main(): return 1\n";

    /** The scheduler computes the same, see its ScriptHashTest. */
    private static final JobScope SCOPE = new JobScope("default", "shop");

    private static final ScriptKey KEY =
            new ScriptKey(SCOPE, "ab1fdaba03364d5489c9668d4b76af4681fb5aa34ff9f8bef22134d88d28578a");

    private final AtomicInteger fetched = new AtomicInteger();

    @TempDir
    private Path folder;

    @Test
    void keepsTheFilesOfAVersionInTheirPlaces() throws IOException {
        dev.millrace.worker.internal.process.Script script = load(store(version()));

        Path tree = script.tree().orElseThrow();
        assertThat(script.file()).isEqualTo(tree.resolve("etl/load.py")).hasContent(CONTENT);
        assertThat(tree.resolve("etl/helper.py")).hasContent("x = 1");
        assertThat(tree.resolve("shared/text.py")).isEmptyFile();
        assertThat(script.runtime()).isEqualTo(ScriptRuntime.PYTHON);
        assertThat(load(store(version()))).isEqualTo(script);
        assertThat(fetched).hasValue(1);
    }

    @Test
    void fetchesAVersionAnewWhoseFilesWereChanged() throws IOException {
        ScriptStore store = store(version());
        Path tree = load(store).tree().orElseThrow();
        Path outside = Files.writeString(folder.resolve("outside.py"), "x = 1");
        List<Tampering> all = List.of(
                () -> Files.writeString(replace(tree.resolve("etl/helper.py")), "x = 2"),
                () -> Files.delete(tree.resolve("shared/text.py")),
                () -> Files.writeString(tree.resolve("etl/json.py"), ""),
                () -> Files.createSymbolicLink(replace(tree.resolve("etl/helper.py")), outside),
                () -> Files.createSymbolicLink(tree.resolve("link.py"), outside),
                () -> Files.writeString(replace(tree.resolveSibling("main.txt")), "etl/helper.py"),
                () -> Files.writeString(tree.resolveSibling("more.txt"), ""));
        for (Tampering tampering : all) {
            int before = fetched.get();
            tampering.run();

            assertThat(load(store).tree()).hasValue(tree);
            assertThat(fetched).hasValue(before + 1);
            assertThat(tree.resolve("etl/helper.py")).hasContent("x = 1");
        }
    }

    @Test
    void letsWorkersShareTheStore() {
        List<CompletableFuture<dev.millrace.worker.internal.process.Script>> loaded = new ArrayList<>();
        for (int worker = 0; worker < 8; worker++) {
            ScriptStore store = store(version());
            loaded.add(CompletableFuture.supplyAsync(() -> load(store)));
        }

        assertThat(loaded)
                .allSatisfy(script ->
                        assertThat(script.join()).isEqualTo(loaded.get(0).join()));
    }

    /** A worker that was killed in the middle leaves only what nobody looks at. */
    @Test
    void ignoresWhatAWorkerLeftBehindThatWasKilled() throws IOException {
        Path left = Files.createDirectories(KEY.codeBelow(folder).resolveSibling("new-123/tree/etl"));
        Files.writeString(left.resolve("load.py"), "half of");

        assertThat(load(store(version())).file()).hasContent(CONTENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../escaped.py", "/tmp/escaped.py", "etl//x.py", "etl/../../x.py", "etl\\..\\x.py", "."})
    void writesNoFileOutsideOfItsFolder(String path) {
        Script hostile = version().toBuilder()
                .addFiles(ScriptFile.newBuilder().setPath(path))
                .build();

        assertThatThrownBy(() -> load(store(hostile)))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("outside of its folder");
        assertThat(folder.resolve("escaped.py")).doesNotExist();
    }

    @Test
    void refusesFilesThatTheHashDoesNotCover() {
        Script more = version().toBuilder()
                .addFiles(ScriptFile.newBuilder().setPath("etl/more.py"))
                .build();

        assertThatThrownBy(() -> load(store(more))).hasMessageContaining("incompatible");
    }

    /** The scheduler computes the same, see its ScriptHashTest. */
    @ParameterizedTest
    @CsvSource({
        "a.py, a.py, 9f2f5e808857bb3e419f6f7238c5bb94ff62cb9a1780a03d2f9d75481c93afeb",
        "other/a.py, a.py, 9f2f5e808857bb3e419f6f7238c5bb94ff62cb9a1780a03d2f9d75481c93afeb",
        "etl/load, load.py, 8b2329e301e1e4f766c0eb8fc46dacc078b37a25ed2fc3278dda3252fa785ece",
        // As schedulers of earlier versions compute it.
        "b.py, b.py, 953b6f4c3dc3b3cbcae125bf712b3fbea7a3c198edbd890e5b992f13ffb6dae3",
        "'', script.py, 953b6f4c3dc3b3cbcae125bf712b3fbea7a3c198edbd890e5b992f13ffb6dae3",
    })
    void aScriptHasAFileOfItsOwnName(String path, String file, String hash) {
        ScriptStore store = store(ofPath(path));
        ScriptKey key = new ScriptKey(SCOPE, hash);

        assertThat(store.load(key, Optional::empty).file().getFileName()).hasToString(file);
        assertThat(store.load(key, Optional::empty).file()).hasContent(CONTENT);
        assertThat(fetched).hasValue(1);
    }

    @Test
    void refusesAScriptOfAnotherName() {
        ScriptKey key = new ScriptKey(SCOPE, "9f2f5e808857bb3e419f6f7238c5bb94ff62cb9a1780a03d2f9d75481c93afeb");

        assertThatThrownBy(() -> store(ofPath("b.py")).load(key, Optional::empty))
                .hasMessageContaining("incompatible");
    }

    private static Script ofPath(String path) {
        return Script.newBuilder()
                .setPath(path)
                .setLanguage(Language.LANGUAGE_PYTHON)
                .setContent(ByteString.copyFromUtf8(CONTENT))
                .build();
    }

    private interface Tampering {
        void run() throws IOException;
    }

    private static Path replace(Path file) throws IOException {
        Files.delete(file);
        return file;
    }

    private static dev.millrace.worker.internal.process.Script load(ScriptStore store) {
        return store.load(KEY, Optional::empty);
    }

    private ScriptStore store(Script version) {
        return new ScriptStore(
                folder,
                (key, lease) -> {
                    fetched.incrementAndGet();
                    return version;
                },
                new ScriptRuntimes(List.of()));
    }

    private static Script version() {
        Script.Builder version = Script.newBuilder()
                .setPath("etl/load.py")
                .setLanguage(Language.LANGUAGE_PYTHON)
                .setContent(ByteString.copyFromUtf8(CONTENT));
        Map.of("etl/helper.py", "x = 1", "shared/text.py", "")
                .forEach((path, text) -> version.addFiles(
                        ScriptFile.newBuilder().setPath(path).setContent(ByteString.copyFromUtf8(text))));
        return version.build();
    }
}
