package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PythonSourcesTest {
    @TempDir
    private Path tree;

    @Test
    void takesTheScriptsOwnListBeforeTheFilesBesideIt() throws IOException {
        Path script = write("etl/load.py", "");
        write("requirements.txt", "elsewhere");
        assertThat(PythonSources.of(script, Optional.of(tree)).declaration()).isEmpty();

        Path project = write("etl/pyproject.toml", "");
        assertThat(PythonSources.of(script, Optional.of(tree)).declaration())
                .hasValue(new PackageDeclaration.InFile(project));

        Path requirements = write("etl/requirements.txt", "");
        assertThat(PythonSources.of(script, Optional.of(tree)).declaration())
                .hasValue(new PackageDeclaration.InFile(requirements));

        write("etl/load.py", "# /// script\n# dependencies = []\n# ///\n");
        assertThat(PythonSources.of(script, Optional.of(tree)).declaration())
                .hasValue(new PackageDeclaration.InFile(script));
    }

    @Test
    void knowsTheModulesThatComeWithTheScript() throws IOException {
        Path script = write("etl/load.py", "import helper, requests");
        write("etl/helper.py", "import numpy");
        write("etl/package/part.py", "import pandas");
        write("shared/text.py", "");

        PythonSources sources = PythonSources.of(script, Optional.of(tree));

        assertThat(sources.own()).containsExactlyInAnyOrder("load", "helper", "package", "etl", "shared");
        assertThat(sources.texts())
                .containsExactlyInAnyOrder("import helper, requests", "import numpy", "import pandas", "");
    }

    @Test
    void anExportedLockCountsFirstThenTheScriptsOwnList() throws IOException {
        write("etl/requirements.txt", "");
        Path script = write("etl/load.py", "#requirements:\n#humanize>=4\nimport humanize\n");
        assertThat(PythonSources.of(script, Optional.of(tree)).declaration())
                .hasValue(new PackageDeclaration.Listed(List.of("humanize>=4")));

        write("etl/load.lock", "# py: 3.11\nhumanize==4.9.0\nwmill==1.400.0\n");
        assertThat(PythonSources.of(script, Optional.of(tree)).declaration())
                .hasValue(new PackageDeclaration.Listed(List.of("humanize==4.9.0")));
    }

    @Test
    void aFileThatImportsAPackageOfItsNameIsNotThatModule() throws IOException {
        Path script = write("team/slack.py", "from slack import WebClient");
        write("team/stripe.py", "def main(): pass");

        assertThat(PythonSources.of(script, Optional.of(tree)).own()).containsExactlyInAnyOrder("stripe", "team");
    }

    private Path write(String path, String text) throws IOException {
        Path file = tree.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
