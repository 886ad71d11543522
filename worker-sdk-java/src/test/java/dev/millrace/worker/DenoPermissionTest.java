package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.testing.TestLeases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What real Deno lets scripts do that ask for permissions, and the check of their types. */
final class DenoPermissionTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private Path data;
    private ScriptWorkerFixture fixture;

    @BeforeEach
    void start() throws Exception {
        data = Files.createDirectories(folder.resolve("data")).toRealPath();
        Files.writeString(data.resolve("in.txt"), "content");
        Files.writeString(folder.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(data.resolve("out"), folder.resolve("secret.txt"));
        fixture = new ScriptWorkerFixture(
                folder.resolve("worker"),
                options -> options.withSlots(List.of(ScriptSlots.of("scripts", 1, 4), ScriptSlots.of("deno", 1, 0)))
                        .withDenoPermissions(
                                "allow-net=localhost allow-env allow-sys allow-read=" + data + " allow-run=true"));
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
    }

    private String script(String content) {
        return fixture.scheduler.addScript("test/script.ts", content);
    }

    private JobError refused(String content) throws InterruptedException {
        return fixture.run(script(content), "{}").getError();
    }

    @Test
    void readsWhatItAsksForAndNothingElse() throws Exception {
        String reads = """
                export function main(path: string) {
                  return Deno.readTextFileSync(path);
                }
                """;
        String input = "{\"path\":\"" + data.resolve("in.txt") + "\"}";

        assertThat(fixture.run(script(reads), input).getError().getName()).isEqualTo("NotCapable");
        String asks = script("// millrace: allow-read=" + data + "\n" + reads);
        assertThat(fixture.result(asks, input)).isEqualTo("\"content\"");
        assertThat(fixture.run(asks, "{\"path\":\"" + folder.resolve("secret.txt") + "\"}")
                        .getError()
                        .getName())
                .isEqualTo("NotCapable");
    }

    @Test
    void runsAProgramOnlyIfItAsks() throws Exception {
        String runs = "export const main = async () => (await new Deno.Command('true').output()).code;\n";

        assertThat(refused(runs).getName()).isEqualTo("NotCapable");
        assertThat(fixture.result(script("// millrace: allow-run=true\n" + runs), "{}"))
                .isEqualTo("0");
    }

    @Test
    void asksForLessThanItWouldHave() throws Exception {
        String looks = """
                export function main() {
                  const denied = (action: () => unknown) => {
                    try {
                      action();
                      return false;
                    } catch (error) {
                      return (error as Error).name === "NotCapable";
                    }
                  };
                  return [denied(() => Deno.env.get("HOME")), denied(() => Deno.hostname())];
                }
                """;

        assertThat(fixture.result(script(looks), "{}")).isEqualTo("[false,false]");
        assertThat(fixture.result(script("// millrace: allow-env=TMPDIR allow-sys=osRelease\n" + looks), "{}"))
                .isEqualTo("[true,true]");
    }

    @Test
    void reachesOnlyTheHostsOfTheWorker() throws Exception {
        JobError error = refused("export const main = () => Deno.connect({ hostname: '127.0.0.2', port: 9 });\n");

        assertThat(error.getName()).isEqualTo("NotCapable");
        assertThat(error.getMessage()).contains("127.0.0.2");
    }

    @Test
    void refusesToAskForMoreThanTheWorkerGrants() throws Exception {
        String main = "export const main = () => 1;\n";

        for (String asked : new String[] {
            "allow-read=/etc",
            "allow-read",
            "allow-read=" + data + "/../secret.txt",
            "allow-read=" + data.resolve("out"),
            "allow-net",
            "allow-net=example.com",
            "allow-run=sh",
            "allow-write=" + data,
            "allow-ffi=/usr/lib/x.so"
        }) {
            JobError error = refused("// millrace: " + asked + "\n" + main);

            assertThat(error.getName()).as(asked).isEqualTo("LoadError");
            assertThat(error.getRetryable()).isFalse();
            assertThat(error.getMessage())
                    .contains("The script asks for " + asked + ", but this worker grants only allow-net=localhost")
                    .contains("millrace.worker.deno-permissions");
        }
        assertThat(refused("// millrace: allow-all\n" + main).getMessage())
                .contains("line 1", "allow-all", "allow-read=/PATH");
        assertThat(fixture.run(fixture.scheduler.addScript("a.py", "# millrace: allow-net\ndef main(): pass\n"), "{}")
                        .getError()
                        .getMessage())
                .contains("allow-net, but only scripts for Deno have permissions");
    }

    @Test
    void checksTheTypesOfADeployedScript() throws Exception {
        String broken = """
                import { current } from 'millrace';
                export function main(n: number): string {
                  current();
                  return n;
                }
                """;

        JobError error = check(script(broken));

        assertThat(error.getName()).isEqualTo("LoadError");
        assertThat(error.getRetryable()).isFalse();
        assertThat(error.getMessage())
                .contains("Type 'number' is not assignable to type 'string'", "at script.ts:4:3")
                .doesNotContain("file://", "backtrace", folder.toString());
        assertThat(check(script("// millrace: check=off\n" + broken)).getMessage())
                .isEmpty();
        assertThat(check(script(broken.replace("return n;", "return `${n}`;"))).getMessage())
                .isEmpty();
        assertThat(check(fixture.scheduler.addScript("a.js", "export const main = (n) => n.x;\n"))
                        .getMessage())
                .isEmpty();
    }

    @Test
    void readsNoSignatureThatWouldTakeLong() throws Exception {
        String large = "// " + "x".repeat(128 << 10) + "\nexport function main(n: number) {}\n";
        Lease lease = TestLeases.script("schema:all", script(large), "{}");
        fixture.session.lease(lease);
        fixture.session.awaitAndAcceptResult();

        assertThat(fixture.session.log(lease.getJobId())).contains("is not read", "at most 131072");
    }

    private JobError check(String hash) throws InterruptedException {
        fixture.session.lease(TestLeases.script("packages:all", hash, "{}"));
        return fixture.session.awaitAndAcceptResult().getError();
    }
}
