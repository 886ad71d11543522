package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.internal.language.Bun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Scripts in Bun, on machines that have it. */
final class BunScriptTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    private static Path folder = Path.of("");

    private static ScriptWorkerFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(new Bun().version().isPresent(), "this machine has no bun");
        fixture = new ScriptWorkerFixture(
                folder, options -> options.withProcessesMax(4).withPackages(PythonPackageChoice.NONE));
    }

    @AfterAll
    static void stop() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private static String script(String content) {
        return fixture.scheduler.addScript("f/greet.bun.ts", "bun", content);
    }

    @Test
    void keepsItsProcessAndKnowsTheJob() throws Exception {
        String hash = script("""
                import { current } from "millrace";
                let calls = 0;
                export function main(name: string, times = 2, day?: Date) {
                  console.log("greeting", { name });
                  return [`Hello, ${name}`.repeat(times), ++calls, typeof Bun.version, current().attempt, "Deno" in globalThis];
                }
                """);

        assertThat(fixture.result(hash, "{\"name\":\"ann\",\"times\":1}"))
                .isEqualTo("[\"Hello, ann\",1,\"string\",1,false]");
        assertThat(fixture.result(hash, "{\"name\":\"\"}")).isEqualTo("[\"Hello, Hello, \",2,\"string\",1,false]");
    }

    @Test
    void convertsAndValidatesAsDenoDoes() throws Exception {
        String typed = script("""
                interface Order { items: { when: Date; data?: Uint8Array; id: bigint }[] }
                export const main = ({ items }: Order) =>
                  items.map(({ when, data, id }) => [when.getTime(), data?.length, String(id + 1n)]);
                """);
        String item = "{\"when\":\"1970-01-01T00:00:01Z\",\"data\":\"w5w=\",\"id\":\"12345678901234567890\"}";
        assertThat(fixture.result(typed, "{\"items\":[" + item + "]}"))
                .isEqualTo("[[1000,2,\"12345678901234567891\"]]");
        assertThat(fixture.run(typed, "{\"items\":[" + item + ",{\"when\":\"soon\"}]}")
                        .getError()
                        .getMessage())
                .isEqualTo("items[1].when: \"soon\" is not a date and time such as 2026-01-31T09:30:00Z.");

        String validated = script("""
                export const inputSchema = { "~standard": { version: 1, vendor: "test", validate: ({ day }) =>
                  day ? { value: { day: new Date(day) } } : { issues: [{ message: "Required", path: ["days", 0] }] } } };
                export const main = (day: Date) => day.getUTCFullYear();
                """);
        assertThat(fixture.result(validated, "{\"day\":\"2026-01-31\"}")).isEqualTo("2026");
        assertThat(fixture.run(validated, "{}").getError().getMessage()).isEqualTo("days[0]: Required");
    }

    @Test
    void callsWindmillsClientByEachOfItsNames() throws Exception {
        String hash = script("""
                import * as plain from "windmill-client";
                import * as versioned from "windmill-client@1.394.2";
                import * as registered from "npm:windmill-client@^1";
                import { getWorkspace } from "npm:windmill-client";
                import * as other from "jsr:@windmill-labs/windmill-client@1";
                import * as old from "https://deno.land/x/windmill@v1.174.0/mod.ts";
                const all = [plain, versioned, registered, other, old];
                export const main = () => [getWorkspace(), all.every((one) => one.getState === plain.getState)];
                """);

        assertThat(fixture.result(hash, "{}")).endsWith(",true]");
    }

    @Test
    void startsWithAMemoryLimit() throws Exception {
        String hash = script("// millrace: memory=512MiB runtime=bun\nexport const main = () => 1;");

        assertThat(fixture.result(hash, "{}")).isEqualTo("1");
    }

    @Test
    void failuresShowTheLinesOfTheScript() throws Exception {
        JobError thrown = error("""
                export async function main() {
                  await null;
                  throw new RangeError("too far");
                }
                """);

        assertThat(thrown.getName()).isEqualTo("RangeError");
        assertThat(thrown.getStack()).contains("greet.bun.ts:3:").doesNotContain("runner.ts");
        assertThat(error("export function main() { process.exit(3); }").getMessage())
                .contains("The script called process.exit(3)");
        assertThat(error(
                                "export function main() { setTimeout(() => { throw new Error('late'); }); return new Promise(() => {}); }")
                        .getMessage())
                .isEqualTo("late");
        assertThat(error("export function main() { Promise.reject(new Error('lost')); return new Promise(() => {}); }")
                        .getMessage())
                .isEqualTo("lost");
        assertThat(error("import left from 'left-pad'; export const main = () => left;")
                        .getName())
                .isNotEmpty();
        assertThat(error("// millrace: runtime=deno\nexport const main = () => 1;")
                        .getMessage())
                .isEqualTo("The script is annotated with runtime=deno, but was deployed for bun. Deploy it without a"
                        + " language, or with deno.");
        assertThat(error("export const x = 1;").getMessage()).contains("exports no function main");
    }

    @Test
    void whatProgramsPrintIsInTheLogOfTheirJob() throws Exception {
        String hash = script("""
                import { $ } from "bun";
                import { spawnSync } from "node:child_process";
                export async function main(way: string) {
                  if (way === "shell") await $`echo by shell`;
                  if (way === "spawn") await Bun.spawn(["echo", "by spawn"], { stdout: "inherit" }).exited;
                  if (way === "sync") Bun.spawnSync(["echo", "by sync"], { stdout: "inherit" });
                  if (way === "node") spawnSync("echo", ["by node"], { stdio: "inherit" });
                }
                """);
        for (String way : List.of("shell", "spawn", "sync", "node")) {
            assertThat(logOf(hash, "{\"way\":\"" + way + "\"}")).as(way).isEqualTo("by " + way + "\n");
        }
    }

    @Test
    void programsThatOutliveTheirJobPrintToNoOtherOne() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc")), "only Linux finds programs whose parents have ended");
        String hash = script("""
                import { $ } from "bun";
                export async function main(begins: boolean) {
                  if (begins) {
                    const wait = "while ! test -e go; do sleep 0.01; done; echo late";
                    await Bun.spawn(["sh", "-c", `setsid sh -c '${wait}' & :`], { stdout: "inherit" }).exited;
                  } else {
                    await Bun.write("go", "");
                    await $`sleep 0.3; echo mine`;
                  }
                }
                """);

        // The shell may have a program of its own at that moment.
        assertThat(logOf(hash, "{\"begins\":true}"))
                .matches("Stopped (1 process|2 processes) that programs of the job had left behind\\.\n");
        assertThat(logOf(hash, "{\"begins\":false}")).isEqualTo("mine\n");
    }

    private static String logOf(String hash, String input) throws InterruptedException {
        Lease lease = fixture.lease(hash, input);
        fixture.session.lease(lease);
        assertThat(fixture.session.awaitAndAcceptResult().getError().getMessage())
                .isEmpty();
        return fixture.session.log(lease.getJobId());
    }

    private static JobError error(String content) throws InterruptedException {
        return fixture.run(script(content), "{}").getError();
    }
}
