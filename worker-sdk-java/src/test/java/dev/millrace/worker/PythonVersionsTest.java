package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.proto.worker.v1.JobResult;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that ask for a version of Python, on real interpreters. */
@Tag("nightly")
final class PythonVersionsTest {
    private static final Pattern HAS = Pattern.compile("this worker has ([0-9., ]+)\\.");

    /** More starts than a template needs to get ready. */
    private static final int STARTS_MAX = 1_000;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private ScriptWorkerFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = new ScriptWorkerFixture(folder, options -> options.withProcessesMax(2));
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
    }

    @Test
    void saysWhichVersionsAreThereIfNoneWillDo() throws Exception {
        JobResult result = fixture.run(
                fixture.scheduler.addScript(
                        "a.py", "# /// script\n# requires-python = \">=3.98\"\n# ///\ndef main(): pass\n"),
                "{}");

        assertThat(result.getError().getName()).isEqualTo("LoadError");
        assertThat(result.getError().getRetryable())
                .as("Another worker may have it.")
                .isTrue();
        assertThat(result.getError().getMessage())
                .contains("The script needs Python >=3.98, and this worker has 3.")
                .contains("install such a Python");
    }

    @Test
    void refusesARequirementThatCannotBeUnderstood() throws Exception {
        JobResult metadata = fixture.run(
                fixture.scheduler.addScript(
                        "a.py", "# /// script\n# requires-python = \"^3.11\"\n# ///\ndef main(): pass\n"),
                "{}");
        JobResult annotation =
                fixture.run(fixture.scheduler.addScript("b.py", "# millrace: python=new\ndef main(): pass\n"), "{}");

        assertThat(metadata.getError().getMessage())
                .contains("requires-python of the script cannot be understood: ^3.11 (expected: versions such as 3.12");
        assertThat(annotation.getError().getMessage()).contains("line 1").contains("python=new (expected: versions");
        assertThat(metadata.getError().getRetryable()).isFalse();
    }

    @Test
    void runsOnAnotherInterpreterWhoseTemplateForksItsProcesses() throws Exception {
        String other = otherVersion();
        String worker = "" + ProcessHandle.current().pid();

        String parent = worker;
        for (int i = 0; i < STARTS_MAX && parent.equals(worker); i++) {
            String[] said = fixture.result(fixture.scheduler.addScript("s" + i + ".py", """
                                    # millrace: python=%s
                                    import os, platform
                                    def main():
                                        return f"{platform.python_version()} {os.getppid()} %d"
                                    """.formatted(other, i)), "{}")
                    .replace("\"", "")
                    .split(" ", -1);
            assertThat(said[0]).isEqualTo(other);
            parent = said[1];
        }

        assertThat(parent).as("the template").isNotEqualTo(worker);
        assertThat(fixture.result(
                        fixture.scheduler.addScript(
                                "own.py", "import platform\ndef main(): return platform.python_version()\n"),
                        "{}"))
                .isNotEqualTo("\"" + other + "\"");
    }

    /** A version that is not that of the worker's own Python; what a refusal lists tells those that are there. */
    private String otherVersion() throws Exception {
        String own = fixture.result(
                fixture.scheduler.addScript("v.py", "import platform\ndef main(): return platform.python_version()\n"),
                "{}");
        String message = fixture.run(
                        fixture.scheduler.addScript("n.py", "# millrace: python=>=3.98\ndef main(): pass\n"), "{}")
                .getError()
                .getMessage();
        Matcher has = HAS.matcher(message);
        assertThat(has.find()).isTrue();
        for (String version : has.group(1).split(", ", -1)) {
            if (!own.contains(version)) {
                return version;
            }
        }
        assumeTrue(false, "this machine has only one Python");
        return own;
    }
}
