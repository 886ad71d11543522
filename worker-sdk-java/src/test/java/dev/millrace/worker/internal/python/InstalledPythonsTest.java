package dev.millrace.worker.internal.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of the programs of a machine count; programs that say what Python would say stand for interpreters. */
final class InstalledPythonsTest {
    @TempDir
    Path folder = Path.of("");

    private Path path;

    @BeforeEach
    void install() throws IOException {
        path = Files.createDirectories(folder.resolve("path"));
        python(path.resolve("python3"), "3.11.7");
    }

    @Test
    void staysWithItsOwnIfThatWillDo() throws Exception {
        python(path.resolve("python3.13"), "3.13.0");

        assertThat(pythons(List.of()).choose(PythonRequirement.parse(">=3.11"))).isEmpty();
        assertThat(pythons(List.of()).choose(PythonRequirement.ANY)).isEmpty();
    }

    @Test
    void findsTheNewestOnThePathAndAtPyenv() throws Exception {
        python(path.resolve("python3.12"), "3.12.1");
        python(folder.resolve("pyenv/versions/3.13.0/bin/python3"), "3.13.0");
        python(folder.resolve("pyenv/versions/3.9.2/bin/python3"), "3.9.2");

        Optional<InstalledPython> newest = pythons(List.of()).choose(PythonRequirement.parse(">3.11.7"));

        assertThat(newest.orElseThrow().version()).hasToString("3.13.0");
        assertThat(newest.orElseThrow().program()).isEqualTo(folder.resolve("pyenv/versions/3.13.0/bin/python3"));
        assertThat(pythons(List.of())
                        .choose(PythonRequirement.parse("3.12"))
                        .orElseThrow()
                        .version())
                .hasToString("3.12.1");
    }

    @Test
    void looksOnlyAtThoseThatTheWorkerNames() throws Exception {
        python(path.resolve("python3.12"), "3.12.1");
        Path other = folder.resolve("opt/bin/python");
        python(other, "3.13.0");
        InstalledPythons pythons = pythons(List.of(other.toString()));

        assertThat(pythons.choose(PythonRequirement.parse("3.13"))).isPresent();
        assertThatThrownBy(() -> pythons.choose(PythonRequirement.parse("3.12")))
                .isInstanceOf(NoPythonException.class)
                .hasMessageContaining("needs Python 3.12, and this worker has 3.13.0, 3.11.7.")
                .hasMessageContaining("millrace.worker.python-interpreters");
    }

    @Test
    void leavesOutWhatDoesNotRunScripts() throws Exception {
        python(path.resolve("python3.9"), "3.9.2");
        Files.writeString(program(path.resolve("python3.14")), "#!/bin/sh\nexit 1\n");
        Files.writeString(program(path.resolve("python3.15")), "#!/bin/sh\necho not a version\n");
        InstalledPythons pythons = pythons(List.of());

        for (String wanted : List.of("3.9", "3.14", "3.15", "3.16")) {
            assertThatThrownBy(() -> pythons.choose(PythonRequirement.parse(wanted)))
                    .isInstanceOf(NoPythonException.class)
                    .hasMessageContaining("this worker has 3.11.7. ");
        }
    }

    private InstalledPythons pythons(List<String> configured) {
        return new InstalledPythons(
                path.resolve("python3").toString(),
                configured,
                Map.of("PATH", path + ":/usr/bin-that-is-missing", "PYENV_ROOT", folder.resolve("pyenv") + ""),
                List.of(),
                name -> Optional.of(Path.of(name)).filter(Files::isExecutable));
    }

    private static void python(Path program, String version) throws IOException {
        Files.writeString(program(program), "#!/bin/sh\nprintf '%s\\n' " + version + " " + program + " /usr /usr\n");
    }

    private static Path program(Path program) throws IOException {
        Files.createDirectories(program.getParent());
        Files.writeString(program, "");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }
}
