package dev.millrace.e2e.script;

import static dev.millrace.e2e.script.BadScript.deno;
import static dev.millrace.e2e.script.BadScript.endless;
import static dev.millrace.e2e.script.BadScript.python;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A script that misbehaves affects only its own job: the job gets a clear error, the next job runs, other jobs are
 * unaffected, and nothing is left.
 */
@ExtendWith(SharedInstallation.class)
final class BadScriptTest {
    private static final String GOOD_PYTHON = "def main(text: str):\n    return text.upper()\n";
    private static final String GOOD_DENO = "export function main(text: string) {\n  return text.toUpperCase();\n}\n";

    @ParameterizedTest
    @MethodSource("badScripts")
    void failsItsOwnJobOnly(BadScript bad, @TempDir Path folder, Installation installation) {
        Api api = installation.api();
        api.deployScript("bad/bystander.py", Gate.PYTHON);
        var gate = new Gate(folder);
        String bystander = api.submit(Map.of("target", Map.of("script", "bad/bystander.py"), "input", gate.input()));
        gate.awaitArrivals(1);
        api.deployScript(bad.path(), bad.source());

        JsonNode run = api.runToEnd(bad.run());

        assertThat(run.path("state").asText()).as("state of %s", run).isEqualTo("failed");
        assertThat(run.path("error").path("name").asText())
                .as("error of %s", run)
                .isEqualTo(bad.error());
        assertThat(run.path("error").path("message").asText()).contains(bad.message());
        // The same version of the script again, in a process that replaced the broken one.
        assertThat(api.runToEnd(bad.run()).path("error").path("name").asText()).isEqualTo(bad.error());
        assertWorks(api, bad.fileName());
        gate.open();
        JsonNode untouched = api.awaitEnd(bystander);
        assertThat(untouched.path("output").asLong())
                .as("output of %s", untouched)
                .isEqualTo(gate.arrivals().getFirst());
        awaitFreeSlots(api);
    }

    static List<BadScript> badScripts() {
        return List.of(
                python("exits the process", "import os\ndef main():\n    os._exit(3)\n", "ProcessExited", "3"),
                python("calls exit", "import sys\ndef main():\n    sys.exit('enough')\n", "SystemExit", "enough"),
                endless("loops forever", "main.py", "def main():\n    while True:\n        pass\n"),
                endless("ignores the signal of the time-out", "main.py", """
                        import signal, time
                        def main():
                            signal.signal(signal.SIGTERM, signal.SIG_IGN)
                            while True:
                                try:
                                    time.sleep(60)
                                except BaseException:
                                    pass
                        """),
                python(
                        "returns an object",
                        "class Wheel: pass\ndef main():\n    return {'wheel': Wheel()}\n",
                        "ResultError",
                        "Wheel"),
                python(
                        "returns a number that is none",
                        "def main():\n    return {'ratio': float('nan')}\n",
                        "ResultError",
                        "ratio"),
                python(
                        "closes every descriptor",
                        "import os\ndef main():\n    os.closerange(0, 1024)\n    return 1\n",
                        "ProcessExited",
                        ""),
                python(
                        "dies of a signal",
                        "import os\ndef main():\n    os.kill(os.getpid(), 11)\n",
                        "ProcessExited",
                        "SIGSEGV"),
                python(
                        "raises",
                        "def main():\n    raise ValueError('the wheel is stuck')\n",
                        "ValueError",
                        "the wheel is stuck"),
                python("does not parse", "def main(:\n", "LoadError", "main.py"),
                python("has no main", "def start():\n    pass\n", "LoadError", "main"),
                deno("exits the process", "export function main() {\n  Deno.exit(3);\n}\n", "SystemExit", "3"),
                endless("loops forever", "main.ts", "export function main() {\n  while (true) {}\n}\n"),
                endless(
                        "waits forever",
                        "main.ts",
                        "export function main() {\n  return new Promise(() => setInterval(() => {}, 1000));\n}\n"),
                deno(
                        "returns a function",
                        "export function main() {\n  return { wheel: () => 1 };\n}\n",
                        "ResultError",
                        "wheel"),
                deno(
                        "returns a number that is none",
                        "export function main() {\n  return { ratio: NaN };\n}\n",
                        "ResultError",
                        "ratio"),
                deno(
                        "throws",
                        "export function main() {\n  throw new TypeError('the wheel is stuck');\n}\n",
                        "TypeError",
                        "the wheel is stuck"),
                deno("does not parse", "export function main( {\n", "LoadError", "main.ts"),
                deno("has no main", "export const start = 1;\n", "LoadError", "main"));
    }

    private static void assertWorks(Api api, String fileName) {
        boolean python = fileName.endsWith(".py");
        String path = "bad/good/" + fileName;
        api.deployScript(path, python ? GOOD_PYTHON : GOOD_DENO);
        JsonNode run = api.runToEnd(Map.of("target", Map.of("script", path), "input", Map.of("text", "mill")));
        assertThat(run.path("output").asText()).as("output of %s", run).isEqualTo("MILL");
    }

    static void awaitFreeSlots(Api api) {
        Await.until(
                "no job is leased",
                Api.PATIENCE,
                () -> api.workers().stream()
                        .allMatch(worker -> worker.path("leased_jobs").asInt() == 0),
                () -> api.workers().toString());
    }
}
