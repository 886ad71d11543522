package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.WorkerLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that want more than their scripts and the worker allow. */
final class ScriptLimitsTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    private static Path folder = Path.of("");

    private static ScriptWorkerFixture fixture;
    private static int scripts;

    @BeforeAll
    static void start() throws Exception {
        fixture = new ScriptWorkerFixture(
                folder, options -> options.withJobLimits(JobLimits.DEFAULTS.withMemoryBytes(400L << 20)));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    @Test
    void aPythonScriptGetsAnErrorThatItCanHandle() throws Exception {
        String hash = python("""
                # millrace: memory=128MiB
                def main(megabytes: int):
                    return len(bytearray(megabytes << 20)) >> 20
                """);

        assertThat(error(hash, "{\"megabytes\":256}"))
                .satisfies(error -> assertThat(error.getName()).isEqualTo("MemoryError"))
                .satisfies(error -> assertThat(error.getMessage())
                        .contains("The limit `memory` allows the process 128 MiB of memory."));
        assertThat(fixture.result(hash, "{\"megabytes\":8}")).isEqualTo("8");
    }

    @Test
    void aJobIsEndedWhoseProcessesTakeTooMuchMemoryTogether() throws Exception {
        JobError error = error(python("""
                # millrace: memory=200MiB
                import subprocess, sys
                HOG = "import time; kept = bytearray(80 << 20); print(len(kept), flush=True); time.sleep(600)"
                def main():
                    hogs = [subprocess.Popen([sys.executable, "-c", HOG], stdout=subprocess.PIPE) for _ in range(4)]
                    for hog in hogs:
                        hog.stdout.readline()
                    for hog in hogs:
                        hog.wait()
                """), "{}");

        assertThat(error.getName()).isEqualTo("LimitExceeded");
        assertThat(error.getMessage()).contains("of memory, which is more than its limit `memory` of 200 MiB");
        assertThat(error.getRetryable()).isFalse();
    }

    @Test
    void theLimitOfTheWorkerHoldsForScriptsWithout() throws Exception {
        JobError error = error(python("def main():\n    return len(bytearray(512 << 20))\n"), "{}");

        assertThat(error.getMessage()).contains("The limit `memory` allows the process 400 MiB of memory.");
    }

    @Test
    void aForkBombIsEnded() throws Exception {
        JobError error = error(python("""
                # millrace: processes=20
                import os
                def main():
                    while True:
                        os.fork()
                """), "{}");

        assertThat(error.getName()).isEqualTo("LimitExceeded");
        assertThat(error.getMessage()).contains("had 21 processes", "limit `processes` of 20");
    }

    @Test
    void orphansCount() throws Exception {
        JobError error = error(python("""
                # millrace: processes=5
                import subprocess, time
                def main():
                    for _ in range(8):
                        subprocess.run("setsid sleep 600 >/dev/null 2>&1 &", shell=True, check=True)
                    time.sleep(600)
                """), "{}");

        assertThat(error.getMessage()).contains("had 6 processes");
    }

    @Test
    void aJobThatComputesTooLongIsEndedAndItsProcessServesOthersBefore() throws Exception {
        String hash = python("""
                # millrace: cpu=600ms
                import time
                def main(seconds: float):
                    end = time.process_time() + seconds
                    while time.process_time() < end:
                        pass
                    return "done"
                """);

        for (int i = 0; i < 3; i++) {
            assertThat(fixture.result(hash, "{\"seconds\":0.3}")).isEqualTo("\"done\"");
        }
        JobError error = error(hash, "{\"seconds\":600}");

        assertThat(error.getName()).isEqualTo("LimitExceeded");
        assertThat(error.getMessage()).contains("of CPU time, which is more than its limit `cpu` of 600 ms");
    }

    @Test
    void opensNoMoreFilesThanAllowed() throws Exception {
        JobError error = error(python("""
                # millrace: files=32
                def main():
                    kept = [open("/dev/null") for _ in range(64)]
                """), "{}");

        assertThat(error.getName()).isEqualTo("OSError");
        assertThat(error.getMessage()).contains("The limit `files` allows the process 32 open files.");
    }

    @Test
    void limitsOutputAndResult() throws Exception {
        String hash = python("""
                # millrace: output=1KiB result=64B
                def main(printed: int, returned: int):
                    print("x" * printed)
                    return "y" * returned
                """);

        assertThat(fixture.result(hash, "{\"printed\":10,\"returned\":10}")).isEqualTo("\"yyyyyyyyyy\"");
        JobError error = error(hash, "{\"printed\":2000,\"returned\":100}");

        assertThat(error.getName()).isEqualTo("ResultTooLarge");
        assertThat(error.getMessage()).contains("at most 64");
        assertThat(logs()).contains("Log limit of 1024 bytes reached");
    }

    @Test
    void aDenoScriptIsLimitedToo() throws Exception {
        JobError memory = error(deno("""
                // millrace: memory=300MiB
                export function main() {
                  const kept: Uint8Array[] = [];
                  while (true) kept.push(new Uint8Array(1 << 20).fill(1));
                }
                """), "{}");
        JobError cpu = error(deno("""
                // millrace: cpu=1s
                export function main() {
                  while (true);
                }
                """), "{}");

        assertThat(memory.getMessage()).contains("limit `memory` of 300 MiB");
        assertThat(cpu.getMessage()).contains("limit `cpu` of 1 s");
    }

    @Test
    void eachJobGetsAProcessOfItsOwnIfTheScriptWantsIt() throws Exception {
        String shared = python("import os\ndef main():\n    return os.getpid()\n");
        String fresh = python("# millrace: isolation=fresh\nimport os\ndef main():\n    return os.getpid()\n");

        assertThat(fixture.result(shared, "{}")).isEqualTo(fixture.result(shared, "{}"));
        assertThat(fixture.result(fresh, "{}")).isNotEqualTo(fixture.result(fresh, "{}"));
    }

    @Test
    void aTemporaryFolderEndsWithItsProcess() throws Exception {
        String hash = python("""
                # millrace: isolation=fresh
                import os, tempfile
                def main():
                    handle, path = tempfile.mkstemp()
                    os.mkdir(os.path.join(tempfile.gettempdir(), "folder"))
                    return os.path.dirname(path)
                """);

        Path first = Path.of(fixture.result(hash, "{}").replace("\"", ""));
        Path second = Path.of(fixture.result(hash, "{}").replace("\"", ""));

        assertThat(first).isNotEqualTo(second);
        awaitDeleted(first);
        awaitDeleted(second);
    }

    @Test
    void anAnnotationThatCannotBeUnderstoodFailsItsJobs() throws Exception {
        JobError error = error(python("# millrace: memory=lots\ndef main(): pass\n"), "{}");

        assertThat(error.getName()).isEqualTo("LoadError");
        assertThat(error.getMessage())
                .contains("The annotation in line 1 of the script cannot be understood: memory=lots");
    }

    private static void awaitDeleted(Path folder) {
        long start = System.nanoTime();
        while (Files.exists(folder)) {
            assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
            Thread.onSpinWait();
        }
    }

    private static String logs() {
        return fixture.session.logBatches().stream()
                .flatMap(batch -> batch.getLogsList().stream())
                .map(WorkerLog::getText)
                .collect(Collectors.joining());
    }

    private static JobError error(String hash, String input) throws Exception {
        JobResult result = fixture.run(hash, input);
        assertThat(result.getError().getMessage()).as("%s", result).isNotEmpty();
        return result.getError();
    }

    private static String python(String content) {
        return fixture.scheduler.addScript("limited" + ++scripts + ".py", content + "# " + scripts + "\n");
    }

    private static String deno(String content) {
        return fixture.scheduler.addScript("limited" + ++scripts + ".ts", content + "// " + scripts + "\n");
    }
}
