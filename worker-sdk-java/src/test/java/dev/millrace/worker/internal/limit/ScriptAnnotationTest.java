package dev.millrace.worker.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.python.PythonRequirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScriptAnnotationTest {
    @Test
    void readsTheCommentsBeforeTheCode() {
        ScriptAnnotation read = ScriptAnnotation.read("""
                #!/usr/bin/env python3
                # Adds numbers.

                # millrace: memory=256MiB cpu=1500ms processes=8
                #millrace: files=64 output=2KiB result=100B isolation=fresh grace=5s
                import os
                # millrace: memory=1GiB
                """);

        assertThat(read)
                .isEqualTo(ScriptAnnotation.NONE
                        .withLimits(new JobLimits(256 << 20, Duration.ofMillis(1500), 8, 64, 2048, 100))
                        .withFresh(true)
                        .withGrace(Duration.ofSeconds(5)));
    }

    @Test
    void readsTypeScript() {
        assertThat(ScriptAnnotation.read("// millrace: cpu=2m\nexport function main() {}\n")
                        .limits())
                .isEqualTo(JobLimits.NONE.withCpu(Duration.ofMinutes(2)));
    }

    @Test
    void aScriptMayHaveNone() {
        assertThat(ScriptAnnotation.read("def main():\n    return '# millrace: memory=1B'\n"))
                .isEqualTo(ScriptAnnotation.NONE);
        assertThat(ScriptAnnotation.read("")).isEqualTo(ScriptAnnotation.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory=much     | memory=much (expected: a size such as 64KiB, 256MiB or 2GiB)",
                "memory=0B       | memory=0B (expected: a size",
                "memory=99999999999GiB | (expected: a size",
                "cpu=10          | cpu=10 (expected: a time such as 500ms, 10s or 5m)",
                "processes=0     | processes=0 (expected: a number above 0)",
                "isolation=total | isolation=total (expected: fresh or shared)",
                "speed=9         | speed=9 (expected: memory, cpu, processes, files, output, result, isolation, grace, python, runtime, check or permissions such as allow-net)",
                "fast            | fast (expected: items such as memory=256MiB, separated by spaces)"
            })
    void refusesWhatItCannotUnderstand(String items, String message) {
        assertThatThrownBy(() -> ScriptAnnotation.read("\n# millrace: " + items + "\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in line 2 of the script")
                .hasMessageContaining(message);
    }

    @Test
    void theLowerLimitCounts() {
        JobLimits worker = JobLimits.NONE.withMemoryBytes(100).withFiles(10);
        JobLimits script = JobLimits.NONE.withMemoryBytes(200).withFiles(5).withProcesses(3);

        assertThat(script.lowest(worker))
                .isEqualTo(JobLimits.NONE.withMemoryBytes(100).withFiles(5).withProcesses(3))
                .isEqualTo(worker.lowest(script));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "# py: >=3.12 | >=3.12",
                "#py: >=3.11,<3.13 | >=3.11,<3.13",
                "# py312 | 3.12",
                "#py310 | 3.10",
                "# py: the old one | ''",
                "# python312 | ''",
            })
    void readsThePythonOfCommentsInTheFormOfWindmill(String line, String requirement) {
        assertThat(ScriptAnnotation.read("# first\n" + line + "\nimport os\n# py: >=3.14\n")
                        .python())
                .isEqualTo(PythonRequirement.parse(requirement));
    }
}
