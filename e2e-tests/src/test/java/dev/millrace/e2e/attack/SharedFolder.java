package dev.millrace.e2e.attack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.Await;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * A file in the folder that the tasks of a group share, as long as the group waits.
 *
 * @param file its path on the worker
 */
record SharedFolder(Person owner, JsonNode run, Path file) implements AutoCloseable {
    /** Keeps a file with the mark, and waits. */
    static final String FLOW = """
            same_worker: true
            steps:
              - {id: a, script: %1$s/keep.py, input: {mark: "${{ inputs.mark }}"}}
              - {id: hold, wait: {approval: go_on}}
            """;

    static final String FIND_PY = "find.py";
    static final String FIND_TS = "find.ts";

    private static final String KEEP = """
            import os

            def main(mark: str, ctx):
                path = os.path.join(ctx.shared_folder, "mark")
                with open(path, "w") as file:
                    file.write(mark)
                return path
            """;

    /** Reads the file, and tries to leave something in all folders of the worker. */
    private static final String FIND_IN_PYTHON = """
            import os

            def main(path: str, worker: str):
                found = {"read": "", "seen": [], "written": []}
                if os.path.exists(path):
                    with open(path) as file:
                        found["read"] = file.read()
                for folder, inner, _ in os.walk(worker):
                    name = os.path.relpath(folder, worker)
                    found["seen"].append(name)
                    try:
                        with open(os.path.join(folder, "planted"), "x"):
                            found["written"].append(name)
                        os.remove(os.path.join(folder, "planted"))
                    except OSError:
                        pass
                return found
            """;

    private static final String FIND_IN_DENO = """
            export function main(path: string, worker: string) {
              const found = { read: "", seen: [] as string[], written: [] as string[] };
              try {
                found.read = Deno.readTextFileSync(path);
              } catch { /* not for this folder */ }
              for (const name of ["deno", "deno-own", "home", "packages", "prepared", "runtime", "scripts", "shared"]) {
                try {
                  found.seen.push(...[...Deno.readDirSync(`${worker}/${name}`)].map((entry) => `${name}/${entry.name}`));
                } catch { /* not to be read */ }
                try {
                  Deno.writeTextFileSync(`${worker}/${name}/planted`, "");
                  found.written.push(name);
                } catch { /* not to be written */ }
              }
              return found;
            }
            """;

    static final Map<String, String> SCRIPTS = Map.of("keep.py", KEEP, FIND_PY, FIND_IN_PYTHON, FIND_TS, FIND_IN_DENO);

    /** Somebody's flow keeps a mark, and waits until this is closed. */
    static SharedFolder of(Person owner, String mark) {
        JsonNode run = owner.submit("flow", "shares", Map.of("key", "-", "mark", mark));
        Await.until("the file is there", Api.PATIENCE, () -> kept(owner, run).isPresent());
        return new SharedFolder(owner, run, kept(owner, run).orElseThrow());
    }

    private static Optional<Path> kept(Person owner, JsonNode run) {
        return StreamSupport.stream(owner.steps(run).spliterator(), false)
                .filter(step -> step.path("key").asText().equals("a") && step.has("result"))
                .map(step -> Path.of(step.path("result").asText()))
                .findFirst();
    }

    /** What scripts need in order to look for the file. */
    Map<String, Object> input() {
        return Map.of("path", file.toString(), "worker", worker().toString());
    }

    /** Folder of the worker, which has all that it keeps for scripts. */
    Path worker() {
        Path folder = file;
        while (!folder.getFileName().toString().equals("shared")
                || !folder.resolveSibling("scripts").toFile().isDirectory()) {
            folder = folder.getParent();
        }
        return folder.getParent();
    }

    @Override
    public void close() {
        owner.cancel(run);
        owner.awaitEnd(run);
    }
}
