package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.worker.internal.language.Bun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The attacks of docs/how-to/sandbox.md. Those that any user can make are shown to work without a sandbox, and as root all
 * but those on the memory of other processes, so that no test of an attack that cannot work proves anything by mistake. Skipped where bubblewrap does not work; .ci/run installs it.
 */
final class SandboxTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NEIGHBOR = """
            import os, tempfile
            def main():
                with open(os.path.join(tempfile.gettempdir(), "own"), "w") as file:
                    file.write("of the neighbor")
                return file.name
            """;
    private static final String ATTACKS = """
            import ctypes, os, pathlib, signal, socket, subprocess

            def read(path):
                return pathlib.Path(path).read_bytes()

            def connect(port):
                socket.create_connection(("127.0.0.1", port), 5).close()

            def trace(pid):
                libc = ctypes.CDLL(None, use_errno=True)
                if libc.ptrace(16, pid, None, None) != 0:
                    raise OSError(ctypes.get_errno(), "ptrace")
                os.waitpid(pid, 0x40000000)
                libc.ptrace(17, pid, None, None)

            def write(folder):
                path = pathlib.Path(folder, "written")
                path.write_text("by a script")
                path.unlink()

            def see_processes(pid):
                if str(pid) not in os.listdir("/proc"):
                    raise LookupError("unseen")

            def main(secret: str, neighbor: str, port: int, victim: int, folder: str):
                attacks = {
                    "read /etc/shadow": lambda: read("/etc/shadow"),
                    "read a file of the worker": lambda: read(secret),
                    "read the folder of another process": lambda: read(neighbor),
                    "connect to the network": lambda: connect(port),
                    "signal another process": lambda: os.kill(victim, 0),
                    "trace another process": lambda: trace(victim),
                    "read the environment of another process": lambda: read(f"/proc/{victim}/environ"),
                    "see other processes": lambda: see_processes(victim),
                    "write to the folder of the worker": lambda: write(folder),
                    "write to the root": lambda: write("/"),
                    "write to the programs of the system": lambda: write("/usr"),
                    "write to its own script": lambda: write(os.path.dirname(__file__)),
                }
                worked = []
                for name, attack in attacks.items():
                    try:
                        attack()
                        worked.append(name)
                    except Exception:
                        pass
                return worked
            """;
    private static final String USES_WHAT_IT_MAY = """
            import os, pathlib, subprocess, sys, tempfile
            import json, sqlite3, ssl
            def main(name: str):
                path = pathlib.Path(tempfile.gettempdir(), "mine")
                path.write_text(name)
                pathlib.Path.home().joinpath("kept").write_text(name)
                return subprocess.run(["cat", path], capture_output=True, text=True, check=True).stdout
            """;
    private static final String LEAVES_A_PROCESS = """
            import subprocess
            def main():
                subprocess.Popen(["setsid", "-f", "env", "-i", "sh", "-c", "trap '' TERM HUP; exec sleep 600"])
                return "left"
            """;
    private static final String DENO = """
            export async function main(port: number) {
                await Deno.writeTextFile(Deno.env.get("TMPDIR") + "/mine", "x");
                try {
                    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
                    return "reached";
                } catch {
                    return "refused";
                }
            }
            """;

    private static final String BUN = """
            import { readFileSync } from "node:fs";
            import { current } from "millrace";
            const tried = async (attack: () => unknown) => { try { await attack(); return "worked"; } catch { return "refused"; } };
            export async function main(port: number, secret: string) {
                await Bun.write(process.env.TMPDIR + "/mine", "x".repeat(current().attempt));
                return [
                    await tried(() => Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })),
                    await tried(() => readFileSync(secret)),
                    await Bun.file(process.env.TMPDIR + "/mine").text(),
                ];
            }
            """;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    @BeforeAll
    static void needBubblewrap() throws Exception {
        assumeTrue(works(), "bubblewrap does not work here, so no attack on the sandbox was tried");
    }

    @Test
    void stopsEachAttack() throws Exception {
        assertThat(attack(new ScriptSandbox(ScriptSandbox.Choice.BWRAP, false))).isEmpty();
    }

    @Test
    void attacksWorkWithoutASandbox() throws Exception {
        Set<String> expected = new TreeSet<>(Set.of(
                "connect to the network",
                "read a file of the worker",
                "read the folder of another process",
                "see other processes",
                "signal another process",
                "write to the folder of the worker"));
        if (System.getProperty("user.name").equals("root")) {
            expected.addAll(Set.of(
                    "read /etc/shadow",
                    "write to its own script",
                    "write to the programs of the system",
                    "write to the root"));
        }
        assertThat(attack(ScriptSandbox.NONE)).containsAll(expected);
    }

    @Test
    void grantsTheNetworkIfAsked() throws Exception {
        assertThat(attack(new ScriptSandbox(ScriptSandbox.Choice.BWRAP, true)))
                .containsExactly("connect to the network");
    }

    @Test
    void scriptsWorkAndStopInside() throws Exception {
        try (ScriptWorkerFixture fixture = sandboxed(false)) {
            String uses = fixture.scheduler.addScript("uses.py", USES_WHAT_IT_MAY);
            assertThat(fixture.result(uses, "{\"name\": \"a\"}")).isEqualTo("\"a\"");
            assertThat(fixture.result(uses, "{\"name\": \"b\"}")).isEqualTo("\"b\"");
        }
    }

    @Test
    void bashCallsTheWorkerFromInside() throws Exception {
        try (ScriptWorkerFixture fixture = sandboxed(false)) {
            String bash = fixture.scheduler.addScript(
                    "blob.sh",
                    "bash",
                    "set -e; echo text > file; millrace-blob put file > saved; millrace-blob get \"$(cat saved)\"");
            assertThat(fixture.result(bash, "{}")).isEqualTo("\"text\"");
        }
    }

    /** Closing the fixture checks that no process is left. */
    @Test
    void leavesNoProcessBehind() throws Exception {
        try (ScriptWorkerFixture fixture = sandboxed(false)) {
            String leaves = fixture.scheduler.addScript("leaves.py", LEAVES_A_PROCESS);
            assertThat(fixture.result(leaves, "{}")).isEqualTo("\"left\"");
        }
    }

    @Test
    void surroundsDeno() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ScriptWorkerFixture fixture = sandboxed(false)) {
            String deno = fixture.scheduler.addScript("deno.ts", DENO);
            assertThat(fixture.result(deno, "{\"port\": " + server.getLocalPort() + "}"))
                    .isEqualTo("\"refused\"");
        }
    }

    @Test
    void surroundsBun() throws Exception {
        assumeTrue(new Bun().version().isPresent(), "this machine has no bun");
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ScriptWorkerFixture fixture = sandboxed(false)) {
            Path secret = Files.writeString(folder.resolve("token"), "secret");
            String bun = fixture.scheduler.addScript("reach.bun.ts", "bun", BUN);
            assertThat(fixture.result(bun, "{\"port\": " + server.getLocalPort() + ", \"secret\": \"" + secret + "\"}"))
                    .isEqualTo("[\"refused\",\"refused\",\"x\"]");
        }
    }

    /** Returns the attacks that worked. */
    private Set<String> attack(ScriptSandbox sandbox) throws Exception {
        Process victim = new ProcessBuilder("sleep", "600").start();
        Path secret = Files.writeString(folder.resolve("token"), "secret");
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ScriptWorkerFixture fixture =
                        new ScriptWorkerFixture(folder, options -> options.withSandbox(sandbox))) {
            String neighbor = fixture.scheduler.addScript("neighbor.py", NEIGHBOR);
            String attacks = fixture.scheduler.addScript("attacks.py", ATTACKS);
            JsonNode own = JSON.readTree(fixture.result(neighbor, "{}"));
            String input = JSON.writeValueAsString(Map.of(
                    "secret", secret.toString(),
                    "neighbor", own.asText(),
                    "port", server.getLocalPort(),
                    "victim", victim.pid(),
                    "folder", folder.toString()));
            Set<String> worked = new TreeSet<>();
            JSON.readTree(fixture.result(attacks, input)).forEach(name -> worked.add(name.asText()));
            return worked;
        } finally {
            victim.destroyForcibly().waitFor();
        }
    }

    private ScriptWorkerFixture sandboxed(boolean network) throws InterruptedException {
        ScriptSandbox sandbox = new ScriptSandbox(ScriptSandbox.Choice.BWRAP, network);
        return new ScriptWorkerFixture(folder, options -> options.withSandbox(sandbox));
    }

    private static boolean works() throws InterruptedException {
        try {
            return new ProcessBuilder(
                                    "bwrap",
                                    "--unshare-user",
                                    "--unshare-pid",
                                    "--ro-bind",
                                    "/",
                                    "/",
                                    "--proc",
                                    "/proc",
                                    "true")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
