package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.internal.language.Bun;
import dev.millrace.worker.testing.SpareProcesses;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that a waiting Bun process runs, on machines that have Bun: which ones do, and that they cannot tell. */
final class BunSpareTest {
    private static final String PID = "export const main = () => process.pid;\n";

    /** What a script can find out about its process, but for names that differ from process to process. */
    private static final String LOOKS = """
            import { homedir, userInfo } from "node:os";
            import { execSync } from "node:child_process";
            import { current } from "millrace";
            import { word } from "./word.ts";
            import { word as again } from "/test/word.ts";
            const home = process.cwd();
            const text = (output: Uint8Array) => new TextDecoder().decode(output).trim();
            const variables = (lines: string) => lines.split("\\n").filter((line) => line.includes("=")).map((line) =>
              line.replaceAll(home, "HOME").replace(/^(TMPDIR|MILLRACE_PROCESS_ID|MILLRACE_FILES)=.*/, "$1")).sort();
            const started = async () => [
              variables(text(Bun.spawnSync(["env"]).stdout)), variables(text(Bun.spawnSync({ cmd: ["env"] }).stdout)),
              variables(await new Response(Bun.spawn(["env"]).stdout).text()),
              text(Bun.spawnSync(["env"], { env: { ONLY: "this" } }).stdout),
              variables(execSync("env").toString()), (await Bun.$`echo $HOME`.text()).trim() === home,
            ];
            export async function main() {
              return {
                home: [process.env.HOME, process.env.PWD, homedir(), userInfo().homedir, Bun.env.HOME].map((one) => one === home),
                variables: Object.keys(process.env).sort(),
                workspace: process.env.MILLRACE_WORKSPACE,
                args: process.argv.length === 3 && process.argv[2] === import.meta.path && Bun.argv[2] === import.meta.path,
                main: Bun.main.replace(/^.*\\//, ""),
                flags: process.execArgv,
                files: [word, again],
                started: await started(),
                attempt: current().attempt,
              };
            }
            """;

    private static final String WORD = "export const word = 'text';\n";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private int scripts;

    @BeforeAll
    static void needsBun() {
        assumeTrue(new Bun().version().isPresent(), "this machine has no bun");
    }

    private ScriptWorkerFixture start(String name, UnaryOperator<ScriptWorkerOptions> change) throws Exception {
        return new ScriptWorkerFixture(
                folder.resolve(name), options -> change.apply(options.withPackages(PythonPackageChoice.NONE)));
    }

    @Test
    void aNewScriptRunsInTheWaitingProcessAndCannotTell() throws Exception {
        String inItsOwn;
        try (ScriptWorkerFixture fixture = start("without", options -> options.withSpareProcess(false))) {
            inItsOwn = fixture.result(looks(fixture), "{}");
        }
        try (ScriptWorkerFixture fixture = start("with", options -> options)) {
            fixture.result(script(fixture, PID), "{}");
            String spare = spares("with").await();

            assertThat(fixture.result(script(fixture, PID), "{}")).isEqualTo(spare);
            spares("with").await();
            assertThat(fixture.result(looks(fixture), "{}"))
                    .isEqualTo(inItsOwn)
                    .contains("\"home\":[true,true,true,true,true]", "\"args\":true", "\"ONLY=this\",");
        }
    }

    @Test
    void onlyOrdinaryScriptsOfItsWorkspaceRunInIt() throws Exception {
        try (ScriptWorkerFixture fixture = start("worker", options -> options.withProcessesMax(20))) {
            fixture.result(script(fixture, PID), "{}");
            String spare = spares("worker").await();

            assertThat(fixture.result(script(fixture, "// millrace: files=900\n" + PID), "{}"))
                    .isNotEqualTo(spare);
            Lease elsewhere = fixture.lease(script(fixture, PID), "{}").toBuilder()
                    .setWorkspace("other team")
                    .build();
            fixture.session.lease(elsewhere);
            assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                    .isNotEqualTo(spare);
        }
    }

    @Test
    void theSparesOfTwoRuntimesHaveHalfOfThePlaces() throws Exception {
        try (ScriptWorkerFixture fixture = start(
                "two", options -> options.withProcessesMax(4).withSlots(List.of(ScriptSlots.of("scripts", 1, 0))))) {
            fixture.result(script(fixture, PID), "{}");
            String bun = spares("two").await();
            fixture.result(fixture.scheduler.addScript("test/own.ts", "export const main = () => Deno.pid;\n"), "{}");
            new SpareProcesses(folder.resolve("two"), "deno").await();

            assertThat(fixture.result(script(fixture, PID), "{}")).isEqualTo(bun);
        }
        try (ScriptWorkerFixture fixture = start("one", options -> options.withProcessesMax(1))) {
            String first = fixture.result(script(fixture, PID), "{}");

            assertThat(fixture.result(script(fixture, PID), "{}")).isNotEqualTo(first);
            assertThat(spares("one").find()).isEmpty();
        }
    }

    private static String looks(ScriptWorkerFixture fixture) {
        return fixture.scheduler.addScript("test/looks.bun.ts", "bun", LOOKS, "test/word.ts", WORD);
    }

    private String script(ScriptWorkerFixture fixture, String content) {
        return fixture.scheduler.addScript("test/script.bun.ts", "bun", content + "// " + scripts++ + "\n");
    }

    private SpareProcesses spares(String worker) {
        return new SpareProcesses(folder.resolve(worker), "bun.exe");
    }
}
