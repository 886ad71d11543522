package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ProcessTable;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts with unusual output or child processes that still return the right result. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class NoisyScriptTest {
    /** Bytes that the scheduler keeps of one attempt by default, with room for a few lines of its own. */
    private static final int LOG_BYTES_MAX = (16 << 20) + 65_536;

    private static final String PYTHON_FLOOD = """
            def main():
                line = "x" * 1023
                for _ in range(100 * 1024):
                    print(line)
                return "dry"
            """;
    private static final String DENO_FLOOD = """
            export function main() {
              const line = "x".repeat(1023);
              for (let i = 0; i < 100 * 1024; i++) console.log(line);
              return "dry";
            }
            """;
    private static final String PYTHON_FORGER = """
            import os, subprocess, sys

            FRAME = '{"type":"result","id":"%s","result":"forged"}'

            def main(ctx):
                print(FRAME % ctx.job_id)
                print(FRAME % ctx.job_id, file=sys.stderr)
                os.write(1, (FRAME % ctx.job_id + "\\n").encode())
                subprocess.run(["echo", FRAME % ctx.job_id], check=True)
                return "true"
            """;
    private static final String DENO_FORGER = """
            export function main(ctx: { jobId: string }) {
              const frame = `{"type":"result","id":"${ctx.jobId}","result":"forged"}`;
              console.log(frame);
              console.error(frame);
              Deno.stdout.writeSync(new TextEncoder().encode(frame + "\\n"));
              return "true";
            }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"flood.py", "flood.ts"})
    void keepsTheBeginningOfAHundredMegabytes(String file, Api api) {
        JsonNode run = runScript(api, "noisy/" + file, file.endsWith(".py") ? PYTHON_FLOOD : DENO_FLOOD);

        assertThat(run.path("output").asText()).as("output of %s", run).isEqualTo("dry");
        String id = run.path("id").asText();
        assertThat(api.logText(id, "stdout")).startsWith("xxxx").hasSizeBetween(1_000_000, LOG_BYTES_MAX);
        assertThat(api.logText(id, "system")).containsIgnoringCase("log limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"forger.py", "forger.ts"})
    void takesNoPrintForAResult(String file, Api api) {
        JsonNode run = runScript(api, "noisy/" + file, file.endsWith(".py") ? PYTHON_FORGER : DENO_FORGER);

        assertThat(run.path("output").asText()).as("output of %s", run).isEqualTo("true");
        String id = run.path("id").asText();
        int printed = file.endsWith(".py") ? 3 : 2;
        awaitLog(api, id, "stdout", text -> text.split("forged", -1).length - 1 == printed);
        awaitLog(api, id, "stderr", text -> text.contains("forged"));
    }

    /** Waits for the stored log; a result may be stored before it. */
    private static void awaitLog(Api api, String run, String stream, Predicate<String> isComplete) {
        Await.until(
                stream + " of run " + run + " is stored",
                Api.PATIENCE,
                () -> isComplete.test(api.logText(run, stream)),
                () -> api.logText(run, stream));
    }

    @ParameterizedTest
    @ValueSource(strings = {"closer.py", "closer.ts"})
    void givesItsResultThoughStandardOutputIsClosed(String file, Api api) {
        String python = "import os, sys\ndef main():\n    sys.stdout.close()\n    os.close(1)\n    return 'through'\n";
        // Deno does not allow a second close, and both jobs may run in one process.
        String deno = """
                let isOpen = true;
                export function main() {
                  if (isOpen) Deno.stdout.close();
                  isOpen = false;
                  return "through";
                }
                """;

        JsonNode run = runScript(api, "noisy/" + file, file.endsWith(".py") ? python : deno);

        assertThat(run.path("output").asText()).as("output of %s", run).isEqualTo("through");
        // The next job of the same process can print again.
        assertThat(api.runToEnd(Map.of("target", Map.of("script", "noisy/" + file)))
                        .path("output")
                        .asText())
                .isEqualTo("through");
    }

    @Test
    void endsTheChildrenThatAJobLeavesBehind(Api api) {
        String python = """
                import subprocess

                def main():
                    subprocess.Popen(["sleep", "7654321"])
                    subprocess.Popen(["sleep", "7654321"], start_new_session=True)
                    subprocess.Popen(["sh", "-c", "sleep 7654321 & sleep 7654321"], start_new_session=True)
                    return "left"
                """;

        JsonNode run = runScript(api, "noisy/parent.py", python);

        assertThat(run.path("output").asText()).as("output of %s", run).isEqualTo("left");
        Await.until(
                "the children have ended",
                Api.PATIENCE,
                () -> ProcessTable.withArgument("7654321").isEmpty(),
                () -> ProcessTable.withArgument("7654321").toString());
        BadScriptTest.awaitFreeSlots(api);
    }

    @Test
    void keepsWhatCCodeAndChildrenPrint(Api api) {
        String python = """
                import ctypes, os, subprocess

                def main():
                    ctypes.CDLL(None).puts(b"from C")
                    ctypes.CDLL(None).fflush(None)
                    subprocess.run(["sh", "-c", "echo from a child; echo complaint >&2"], check=True)
                    os.write(2, b"from a descriptor\\n")
                """;

        JsonNode run = runScript(api, "noisy/printer.py", python);

        String id = run.path("id").asText();
        assertThat(api.logText(id, "stdout")).contains("from C\n", "from a child\n");
        assertThat(api.logText(id, "stderr")).contains("complaint\n", "from a descriptor\n");
    }

    private static JsonNode runScript(Api api, String path, String source) {
        api.deployScript(path, source);
        return api.runToEnd(Map.of("target", Map.of("script", path), "timeout", "50s"));
    }
}
