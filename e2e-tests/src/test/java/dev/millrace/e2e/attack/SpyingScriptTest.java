package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.ServiceProcess;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attack 23: scripts look for the token of their worker and for the secrets of other scripts, in memory, environments,
 * open files, command lines and the files of the worker.
 */
final class SpyingScriptTest {
    private static final String SECRET = "correct-horse-battery-staple";

    /**
     * Looks for texts, which it gets in reverse order so that it does not hold them itself, in the worker and in all other
     * processes of the worker. Returns where it found one, and which processes it could inspect at all.
     */
    private static final String PYTHON_SPY = """
            import ctypes, os

            def main(reversed_texts: list, folder: str):
                texts = [text[::-1].encode() for text in reversed_texts]
                worker = os.getppid()
                if command(worker) == "python":
                    worker = parent(worker)  # A template stands between them.
                others = [
                    pid for pid in pids() if pid != os.getpid() and worker in (parent(pid), parent(parent(pid)))
                ]
                found = []
                for pid in [worker, *others]:
                    name = "worker" if pid == worker else command(pid)
                    for what in ("environ", "cmdline"):
                        if has(texts, read(f"/proc/{pid}/{what}")):
                            found.append(f"{what} of {name}")
                    for fd in range(32):
                        # A second handle of the worker's own standard input, for example.
                        if has(texts, read(f"/proc/{pid}/fd/{fd}") if fd != 1 else b""):
                            found.append(f"file {fd} of {name}")
                    if any(has(texts, piece) for piece in memory(pid)):
                        found.append(f"memory of {name}")
                for fd in range(32):
                    if has(texts, own(fd)):
                        found.append(f"inherited file {fd}")
                if has(texts, repr(dict(os.environ)).encode()):
                    found.append("own environment")
                for path, _, names in os.walk(folder):
                    found += [f"{path}/{name}" for name in names if has(texts, read(f"{path}/{name}"))]
                return {
                    "found": found,
                    "others": sorted({command(pid) for pid in others}),
                    "landlock": ctypes.CDLL(None).syscall(444, None, 0, 1),
                }

            def has(texts, data):
                return any(text in data for text in texts)

            def read(path):
                try:
                    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                except OSError:
                    return b""
                try:
                    return os.read(handle, 1 << 20)
                except OSError:
                    return b""
                finally:
                    os.close(handle)

            def own(fd):
                try:
                    return os.pread(fd, 1 << 20, 0)
                except OSError:
                    return b""

            def memory(pid):
                try:
                    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
                        for line in maps:
                            begin, end = (int(part, 16) for part in line.split()[0].split("-"))
                            if line.split()[1].startswith("rw"):
                                for at in range(begin, end, 1 << 24):
                                    try:
                                        mem.seek(at)
                                        yield mem.read(min(end - at, (1 << 24) + 64))
                                    except (OSError, OverflowError, ValueError):
                                        continue
                except OSError:
                    return

            def pids():
                return [int(entry) for entry in os.listdir("/proc") if entry.isdecimal()]

            def stat(pid):
                try:
                    with open(f"/proc/{pid}/stat") as file:
                        return file.read()
                except OSError:
                    return "0 (gone) Z 0"

            def parent(pid):
                return int(stat(pid).rsplit(") ", 1)[1].split()[1])

            def command(pid):
                return stat(pid).split("(", 1)[1].rsplit(")", 1)[0].rstrip("0123456789.")
            """;

    /** Tries what Deno offers to read what does not belong to the script. Returns what it got. */
    private static final String DENO_SPY = """
            export async function main(tokenFile: string) {
              const got: string[] = [];
              const attempt = async (what: string, act: () => unknown) => {
                try {
                  await act();
                  got.push(what);
                } catch {
                  // It is forbidden.
                }
              };
              const parent = Deno.ppid;
              for (const file of ["environ", "mem", "maps", "cmdline", "fd/0"]) {
                await attempt(`${file} of the worker`, () => Deno.open(`/proc/${parent}/${file}`));
                await attempt(`own ${file}`, () => Deno.open(`/proc/self/${file}`));
              }
              await attempt("list of processes", () => [...Deno.readDirSync("/proc")]);
              await attempt("token file", () => Deno.readTextFile(tokenFile));
              await attempt("a program", () => new Deno.Command("cat", { args: [`/proc/${parent}/environ`] }).output());
              await attempt("native code", () => Deno.dlopen("libc.so.6", { getppid: { parameters: [], result: "i32" } }));
              if (Object.keys(Deno.env.toObject()).some((name) => name.includes("TOKEN"))) got.push("environment");
              return got;
            }
            """;

    /** Keeps its secret in memory, as long as its process lives. */
    private static final Map<String, String> KEEPERS = Map.of("keep.py", """
            kept = []

            def main(key):
                kept.append("".join(key))
            """, "keep.ts", """
            const kept: string[] = [];
            export function main(key: string) {
              kept.push(key.split("").join(""));
            }
            """);

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;

    @BeforeAll
    static void start() {
        installation = GuardedInstallation.start("attack-spy", folder);
        SecretServiceGrpc.newBlockingStub(installation.owner())
                .setSecret(SetSecretRequest.newBuilder()
                        .setPath("spy/key")
                        .setValue(ByteString.copyFromUtf8(SECRET))
                        .build());
        deploy("keeps", KEEPERS, """
                millrace: v1
                name: spy/keeps
                steps:
                  - {id: python, script: keep.py, input: {key: "${{ secrets.spy.key }}"}}
                  - {id: deno, script: keep.ts, input: {key: "${{ secrets.spy.key }}"}}
                """);
        deploy("spies", Map.of("spy.py", PYTHON_SPY), """
                millrace: v1
                name: spy/python
                inputs:
                  reversed_texts: {type: array}
                  folder: {type: string}
                steps:
                  - id: spy
                    script: spy.py
                    input: {reversed_texts: "${{ inputs.reversed_texts }}", folder: "${{ inputs.folder }}"}
                output: ${{ steps.spy.result }}
                """);
        deploy("spies", Map.of("spy.ts", DENO_SPY), """
                millrace: v1
                name: spy/deno
                inputs:
                  tokenFile: {type: string}
                steps: [{id: spy, script: spy.ts, input: {tokenFile: "${{ inputs.tokenFile }}"}}]
                output: ${{ steps.spy.result }}
                """);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    /**
     * The test deletes the file of the token once the worker has opened it, so that it stands for a file that only root
     * can open, as for the systemd unit: scripts run as the user of the test.
     */
    @ParameterizedTest
    @ValueSource(strings = {"--config", "--token-file"})
    void aScriptFindsNeitherTheTokenOfItsWorkerNorTheSecretsOfOthers(String option) throws IOException {
        String token = installation.worker("default");
        Path input = Files.writeString(
                folder.resolve("input" + option),
                option.equals("--config") ? "millrace: {worker: {token: " + token + "}}" : token + "\n");
        try (ServiceProcess worker =
                installation.cluster().startWorker("worker" + option, 0, Map.of(), List.of(option, "-"), input)) {
            assertThat(run("spy/keeps", Map.of()).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
            Files.delete(input);

            JsonNode spied = output(run(
                    "spy/python",
                    Map.of(
                            "reversed_texts",
                            List.of(reversed(token), reversed(SECRET)),
                            "folder",
                            installation
                                    .cluster()
                                    .folder()
                                    .resolve(worker.name())
                                    .toString())));

            assertThat(spied.path("others").toString()).contains("python", "deno");
            assumeTrue(spied.path("landlock").asInt() >= 2, "This kernel has no Landlock: " + spied);
            assertThat(spied.path("found")).isEmpty();
        }
    }

    @Test
    void aDenoScriptReadsNothingOfItsWorker() throws IOException {
        String token = installation.worker("default");
        Path file = Files.writeString(folder.resolve("token"), token);
        try (ServiceProcess _ = installation
                .cluster()
                .startWorker("worker-deno", 0, Map.of("millrace.worker.token-file", file.toString()))) {
            JsonNode got = output(run("spy/deno", Map.of("tokenFile", file.toString())));

            assertThat(got).isEmpty();
        }
    }

    private static void deploy(String name, Map<String, String> files, String definition) {
        FlowServiceGrpc.newBlockingStub(installation.owner())
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName(name + ".yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .addAllFiles(files.entrySet().stream()
                                .map(file -> FlowFile.newBuilder()
                                        .setPath(file.getKey())
                                        .setContent(ByteString.copyFromUtf8(file.getValue()))
                                        .build())
                                .toList())
                        .build());
    }

    private static Run run(String flow, Map<String, Object> input) {
        return RunServiceGrpc.newBlockingStub(installation.owner())
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow))
                                .setInput(ByteString.copyFromUtf8(Json.of(input).toString())))
                        .setWait(com.google.protobuf.Duration.newBuilder().setSeconds(Api.PATIENCE.toSeconds()))
                        .build())
                .getRun();
    }

    private static JsonNode output(Run run) {
        assertThat(run.getState()).as("%s", run).isEqualTo(Run.State.STATE_SUCCEEDED);
        return Json.parse(run.getOutput().toStringUtf8());
    }

    private static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }
}
