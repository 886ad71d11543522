package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.proto.common.v1.JobError;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Languages that users add. */
final class ScriptLanguageTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    private Path folder = Path.of("");

    /** AWK, as in docs/how-to/add-a-language.md. */
    private record Awk(String name, Optional<String> version) implements ScriptLanguage {
        @Override
        public List<String> fileEndings() {
            return List.of(".awk");
        }

        @Override
        public ProcessUse use() {
            return ProcessUse.ONCE;
        }

        @Override
        public List<String> command(ScriptVersion script) {
            return List.of("awk", "-f", script.file().toString());
        }
    }

    /** A language whose compiler writes what it is given in capitals, for a shell. */
    private record Capitals(Path compilations, String preparerVersion) implements ScriptLanguage {
        Capitals(Path compilations) {
            this(compilations, "");
        }

        @Override
        public String name() {
            return "capitals";
        }

        @Override
        public List<String> fileEndings() {
            return List.of(".cap");
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
                    "cat", script.prepared().orElseThrow().resolve("program").toString());
        }

        @Override
        public Optional<Preparer> preparer() {
            return Optional.of(this::compile);
        }

        private void compile(Preparation preparation) throws JobException, IOException {
            preparation.log("compiling");
            Files.createTempFile(compilations, "", "");
            Preparation.Ended ended = preparation.run(
                    List.of(
                            "sed",
                            "s/a/A/;/oops/q3",
                            preparation.script().file().toString()),
                    Map.of());
            if (ended.exitCode() != 0) {
                throw new JobException("CompileError", "The script does not compile: " + ended.output(), false);
            }
            Files.writeString(preparation.target().resolve("program"), ended.output());
        }
    }

    private ScriptWorkerFixture worker(String name, ScriptLanguage... languages) throws Exception {
        return new ScriptWorkerFixture(folder.resolve(name), options -> options.withLanguages(List.of(languages)));
    }

    @Test
    void runsALanguageThatIsOnlyACommand() throws Exception {
        try (ScriptWorkerFixture fixture = worker("w", new Awk("awk", Optional.of("1")))) {
            String hash = fixture.scheduler.addScript("count", "awk", "{ print \"read \" $0 }");

            assertThat(fixture.result(hash, "{\"n\":1}")).isEqualTo("\"read {\\\"n\\\":1}\"");
            assertThat(fixture.result(hash, "{}")).isEqualTo("\"read {}\"");
            assertThat(fixture.scheduler.scriptFetches()).isEqualTo(1);
        }
    }

    @Test
    void preparesEachVersionOnceEvenForWorkersThatShareAFolder() throws Exception {
        Path compilations = Files.createDirectory(folder.resolve("compilations"));
        for (int worker = 0; worker < 2; worker++) {
            try (ScriptWorkerFixture fixture = worker("shared", new Capitals(compilations))) {
                String hash = fixture.scheduler.addScript("a.cap", "capitals", "banana");
                assertThat(fixture.result(hash, "{}")).isEqualTo("\"bAnana\"");
                assertThat(fixture.result(hash, "{}")).isEqualTo("\"bAnana\"");
            }
        }
        assertThat(compilations)
                .isDirectoryContaining(file -> true)
                .satisfies(place -> assertThat(place.toFile().list()).hasSize(1));
        try (ScriptWorkerFixture fixture = worker("shared", new Capitals(compilations, "2"))) {
            assertThat(fixture.result(fixture.scheduler.addScript("a.cap", "capitals", "banana"), "{}"))
                    .isEqualTo("\"bAnana\"");
        }
        assertThat(compilations.toFile().list())
                .as("made anew for another preparer")
                .hasSize(2);
    }

    @Test
    void whatDoesNotCompileFailsItsJobsAndLeavesNothing() throws Exception {
        Path compilations = Files.createDirectory(folder.resolve("compilations"));
        try (ScriptWorkerFixture fixture = worker("w", new Capitals(compilations))) {
            String hash = fixture.scheduler.addScript("b.cap", "capitals", "oops, line 1");
            JobError error = fixture.run(hash, "{}").getError();

            assertThat(error.getName()).isEqualTo("LoadError");
            assertThat(error.getMessage()).contains("does not compile: oops, line 1");
            assertThat(error.getRetryable()).isFalse();
            try (var left = Files.find(folder.resolve("w/prepared"), 9, (path, is) -> is.isRegularFile())) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void saysWhichLanguagesItKnows() throws Exception {
        try (ScriptWorkerFixture fixture = worker("w", new Awk("awk", Optional.of("1")))) {
            JobError error = fixture.run(fixture.scheduler.addScript("a.x", "cobol", "x"), "{}")
                    .getError();

            assertThat(error.getMessage())
                    .contains("does not know the language \"cobol\"", "python, deno, awk")
                    .contains("give the job the tag");
            assertThat(error.getRetryable()).isTrue();
        }
    }

    @Test
    void takesNoJobsOfALanguageThatTheMachineLacks() throws Exception {
        List<ScriptLanguage> languages = List.of(new Awk("awk", Optional.of("1")), new Awk("gawk", Optional.empty()));
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(
                folder.resolve("w"),
                options -> options.withLanguages(languages)
                        .withSlots(List.of(ScriptSlots.ofLanguages(languages, 1, 1), ScriptSlots.of("gawk", 1, 1))))) {
            var hello = fixture.session.awaitHello();

            assertThat(hello.getSlotGroupsList())
                    .singleElement()
                    .satisfies(group -> assertThat(group.getTagsList()).containsExactly("awk"));
            assertThat(hello.getRuntimesMap()).containsEntry("awk", "1").doesNotContainKey("gawk");
        }
    }

    @Test
    void refusesNamesThatCannotBe() {
        ScriptWorkerOptions options = ScriptWorkerOptions.of("localhost:1");

        assertThatThrownBy(() -> options.withLanguages(List.of(new Awk("AWK", Optional.empty()))))
                .hasMessageContaining("lower-case letter");
        assertThatThrownBy(() -> options.withLanguages(List.of(new Awk("python", Optional.empty()))))
                .hasMessageContaining("two languages with the name \"python\"");
    }

    @Test
    void findsThoseOnTheClassPath() {
        assertThat(ScriptWorkerOptions.of("localhost:1").languages())
                .extracting(ScriptLanguage::name)
                .contains("bash");
    }
}
