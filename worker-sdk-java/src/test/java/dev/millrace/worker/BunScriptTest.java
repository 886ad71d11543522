package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.internal.language.Bun;
import java.nio.file.Path;
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
        fixture = new ScriptWorkerFixture(folder, options -> options.withProcessesMax(4));
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
    void startsWithAMemoryLimit() throws Exception {
        String hash = script("// millrace: memory=512MiB\nexport const main = () => 1;");

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
        assertThat(error("export const x = 1;").getMessage()).contains("exports no function main");
    }

    private static JobError error(String content) throws InterruptedException {
        return fixture.run(script(content), "{}").getError();
    }
}
