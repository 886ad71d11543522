package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.worker.internal.language.Go;
import dev.millrace.worker.language.Preparation;
import dev.millrace.worker.language.Preparer;
import dev.millrace.worker.language.ProcessUse;
import dev.millrace.worker.language.ScriptLanguage;
import dev.millrace.worker.language.ScriptVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What languages prepare while scripts have a sandbox. Skipped where bubblewrap does not work. */
final class SandboxedPreparationTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    @BeforeAll
    static void needsBubblewrap() {
        assumeTrue(ScriptSandbox.isPossible(), "bubblewrap does not work here");
    }

    /** A language whose compiler does what the script says, for a shell. */
    private record Obedient() implements ScriptLanguage {
        @Override
        public String name() {
            return "obedient";
        }

        @Override
        public List<String> fileEndings() {
            return List.of(".obey");
        }

        @Override
        public Optional<String> version() {
            return Optional.of("1");
        }

        @Override
        public ProcessUse use() {
            return ProcessUse.ONCE;
        }

        @Override
        public List<String> command(ScriptVersion script) {
            return List.of(
                    "cat", script.prepared().orElseThrow().resolve("said").toString());
        }

        @Override
        public Optional<Preparer> preparer() {
            return Optional.of(Obedient::compile);
        }

        private static void compile(Preparation preparation) throws IOException {
            Preparation.Ended ended = preparation.run(
                    List.of("sh", preparation.script().file().toString()),
                    Map.of("TARGET", preparation.target().toString()));
            Files.writeString(preparation.target().resolve("said"), ended.output());
        }
    }

    private ScriptWorkerFixture worker(ScriptLanguage language) throws Exception {
        ScriptSandbox sandbox = new ScriptSandbox(ScriptSandbox.Choice.BWRAP, false);
        return new ScriptWorkerFixture(
                folder.resolve("worker"),
                options -> options.withSandbox(sandbox).withLanguages(List.of(language)));
    }

    @Test
    void aCompilerSeesNeitherOtherFilesNorOtherProcesses() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "of somebody else");
        try (ScriptWorkerFixture fixture = worker(new Obedient())) {
            String script = fixture.scheduler.addScript("a.obey", "obedient", """
                    for attempt in "cat %s" "cat /etc/shadow" "ls %s" "kill -0 %d" "touch /usr/made" "touch %s/made"; do
                        $attempt >/dev/null 2>&1 && echo "worked: $attempt"
                    done
                    echo made > "$TARGET/made" && cat "$TARGET/made"
                    """.formatted(
                            secret,
                            folder.resolve("worker/packages"),
                            ProcessHandle.current().pid(),
                            folder.resolve("worker")));

            assertThat(fixture.result(script, "{}")).isEqualTo("\"made\"");
        }
    }

    @Test
    void goCompiles() throws Exception {
        assumeTrue(new Go().version().isPresent(), "this machine has no go");
        GoStandardLibrary.compileFor(Files.createDirectories(folder.resolve("worker")));
        try (ScriptWorkerFixture fixture = worker(new Go())) {
            String script = fixture.scheduler.addScript(
                    "a.go", "go", "package inner\n\nfunc main(n int) (int, error) { return n + 1, nil }\n");

            assertThat(fixture.result(script, "{\"n\":1}")).isEqualTo("2");
        }
    }
}
