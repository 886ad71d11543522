package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.SpareProcesses;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that a waiting Deno process runs: which ones do, and that they cannot tell. */
final class DenoSpareTest {
    private static final String PID = "export const main = () => Deno.pid;\n";

    /** What a script can find out about its process, but for names that differ from process to process. */
    private static final String LOOKS = """
            const state = (name: "read" | "write", path: string) => Deno.permissions.querySync({ name, path }).state;
            export function main() {
              const home = Deno.cwd();
              const up = (path: string, times: number) => path.split("/").slice(0, -times).join("/");
              const script = new URL(import.meta.url).pathname;
              Deno.writeTextFileSync("kept.txt", "text");
              const paths = [home, home + "/kept.txt", up(home, 1), up(home, 2), up(home, 1) + "/other", up(script, 1), script,
                up(script, 2), up(script, 2) + "/other/script.ts", up(script, 3), Deno.env.get("TMPDIR")!, "/etc/passwd", "/dev/fd/3"];
              return {
                paths: paths.map((path) => [state("read", path), state("write", path)]),
                home: Deno.env.get("HOME") === home && Deno.env.get("PWD") === home,
                variables: Object.keys(Deno.env.toObject()).sort(),
                workspace: Deno.env.get("MILLRACE_WORKSPACE"),
                args: Deno.args.length === 1 && Deno.args[0] === script,
                script: script.replace(/^.*\\//, ""),
                main: Deno.mainModule.replace(/^.*\\//, ""),
                asked: ["read", "write", "run", "ffi"].map((name) => Deno.permissions.querySync({ name } as never).state),
              };
            }
            """;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private int scripts;

    private ScriptWorkerFixture start(String name, UnaryOperator<ScriptWorkerOptions> change) throws Exception {
        return new ScriptWorkerFixture(folder.resolve(name), change);
    }

    @Test
    void aNewScriptRunsInTheWaitingProcessAndCannotTell() throws Exception {
        String inItsOwn;
        try (ScriptWorkerFixture fixture = start("without", options -> options.withSpareProcess(false))) {
            inItsOwn = fixture.result(fixture.scheduler.addScript("test/looks.ts", LOOKS), "{}");
        }
        try (ScriptWorkerFixture fixture = start("with", options -> options)) {
            fixture.result(script(fixture, PID), "{}");
            ProcessHandle spare = awaitSpare("with");

            assertThat(fixture.result(fixture.scheduler.addScript("test/looks.ts", LOOKS), "{}"))
                    .isEqualTo(inItsOwn)
                    .contains("\"home\":true", "\"args\":true");
            assertThat(fixture.result(fixture.scheduler.addScript("test/looks.ts", LOOKS), "{}"))
                    .isEqualTo(inItsOwn);
            assertThat(awaitSpare("with").pid()).isNotEqualTo(spare.pid());
        }
    }

    @Test
    void onlyOrdinaryScriptsOfItsWorkspaceRunInIt() throws Exception {
        try (ScriptWorkerFixture fixture = start("worker", options -> options.withProcessesMax(20))) {
            fixture.result(script(fixture, PID), "{}");
            String spare = "" + awaitSpare("worker").pid();

            for (String other : List.of("memory=900MiB", "allow-net=localhost", "files=900")) {
                assertThat(fixture.result(script(fixture, "// millrace: " + other + "\n" + PID), "{}"))
                        .as(other)
                        .isNotEqualTo(spare);
            }
            String withFile = fixture.scheduler.addScript(
                    "test/tree.ts", "deno", "import './b.ts';\n" + PID, "test/b.ts", "export {};\n");
            assertThat(fixture.result(withFile, "{}")).isNotEqualTo(spare);
            assertThat("" + awaitSpare("worker").pid()).isEqualTo(spare);
            Lease elsewhere = fixture.lease(script(fixture, PID), "{}").toBuilder()
                    .setWorkspace("other team")
                    .build();
            fixture.session.lease(elsewhere);
            assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                    .isNotEqualTo(spare);
        }
    }

    @Test
    void aScriptGetsAProcessOfItsOwnIfTheWaitingOneHasEnded() throws Exception {
        try (ScriptWorkerFixture fixture = start("worker", options -> options)) {
            fixture.result(script(fixture, PID), "{}");
            ProcessHandle spare = awaitSpare("worker");
            spare.destroyForcibly();
            spare.onExit()
                    .orTimeout(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS)
                    .join();

            assertThat(fixture.result(script(fixture, PID), "{}")).isNotEqualTo("" + spare.pid());
        }
    }

    @Test
    void itTakesThePlaceOfAnIdleProcessAndLeavesItToABusyOne() throws Exception {
        try (ScriptWorkerFixture fixture = start(
                "full", options -> options.withProcessesMax(2).withSlots(List.of(ScriptSlots.of("scripts", 2, 0))))) {
            String first = fixture.result(script(fixture, PID), "{}");
            awaitSpare("full");
            fixture.result(script(fixture, "// millrace: files=900\n" + PID), "{}");
            ProcessHandle spare = awaitSpare("full");

            // The second script has replaced the idle process.
            ProcessHandle.of(Long.parseLong(first))
                    .ifPresent(replaced -> replaced.onExit()
                            .orTimeout(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS)
                            .join());
            String waits = script(
                    fixture,
                    "// millrace: files=900\nexport const main = () => (console.log('begun'), new Promise((end) => setTimeout(end, 600_000)));\n");
            Lease one = fixture.lease(waits, "{}");
            Lease two = fixture.lease(waits, "{}");
            fixture.session.lease(one);
            fixture.session.lease(two);
            fixture.session.awaitLog(one.getJobId(), "begun");
            fixture.session.awaitLog(two.getJobId(), "begun");

            spare.onExit()
                    .orTimeout(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS)
                    .join();
            assertThat(spare("full")).as("no place is left").isEmpty();
        }
    }

    @Test
    void noProcessWaitsIfPermissionsAreTooWide() throws Exception {
        try (ScriptWorkerFixture fixture =
                start("wide", options -> options.withDenoPermissions("allow-read=" + folder.toAbsolutePath()))) {
            fixture.result(script(fixture, PID), "{}");
            fixture.result(script(fixture, PID), "{}");

            assertThat(spare("wide")).isEmpty();
        }
    }

    private String script(ScriptWorkerFixture fixture, String content) {
        return fixture.scheduler.addScript("test/script.ts", content + "// " + scripts++ + "\n");
    }

    private ProcessHandle awaitSpare(String worker) {
        return new SpareProcesses(folder.resolve(worker), "deno").awaitHandle();
    }

    private Optional<ProcessHandle> spare(String worker) {
        return new SpareProcesses(folder.resolve(worker), "deno").find();
    }
}
