package dev.millrace.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.PythonProgram;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pages and the example about Java programs do what they say, with the jars as they are built. {@code .ci/nightly-java}
 * installs them in an empty repository.
 */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class JavaProcessTest {
    private static final Path HOME = MillraceHome.find().path();
    private static final Path PAGES = HOME.resolve("docs/how-to");
    private static final Path EXAMPLE = HOME.resolve("examples/java");

    @TempDir
    private Path folder;

    @Test
    void thePageAboutTheClientPrintsWhatItShows(Installation installation) throws IOException {
        String address = installation.cluster().schedulerAddress(0);
        String page = Files.readString(PAGES.resolve("java-client.md"));

        try (PythonProgram program = PythonProgram.startJava(address, programOf(page, address, "Shop"))) {
            assertThat(page).contains("```text\n" + program.awaitSuccess() + "\n```");
        }
    }

    @Test
    void thePageAboutHandlersPrintsWhatItShows(Installation installation) throws IOException {
        String address = installation.cluster().schedulerAddress(0);
        String page = Files.readString(PAGES.resolve("java-handlers.md"));

        try (PythonProgram _ = PythonProgram.startJava(address, programOf(page, address, "Greeter"))) {
            PythonProgram.run(
                    Map.of(), "e2e-tests/src/test/python/run_page.py", "docs/how-to/java-handlers.md", address);
        }
    }

    @Test
    void theExampleGivesItsExpectedResult(Installation installation) throws IOException {
        String readme = Files.readString(EXAMPLE.resolve("README.md"));
        String main = EXAMPLE.resolve("src/main/java/shop/Shop.java").toString();

        try (PythonProgram program =
                PythonProgram.startJava(installation.cluster().schedulerAddress(0), main)) {
            assertThat(readme).contains("```text\n" + program.awaitSuccess() + "\n```");
        }
    }

    /** Writes the program of a page into a file, with the address of the scheduler of the test. */
    private String programOf(String page, String address, String name) throws IOException {
        String begin = "```java\n";
        int start = page.indexOf(begin) + begin.length();
        String program = page.substring(start, page.indexOf("```\n", start));
        Path file = folder.resolve(name + ".java");
        return Files.writeString(file, program.replace("localhost:8401", address))
                .toString();
    }
}
