package dev.millrace.worker.internal.process;

import java.nio.file.Path;
import java.util.List;

/**
 * Flags with which Deno runs a script. They confine it to the network, its private folder, shared folders, and reading
 * its own file.
 */
final class DenoFlags {
    private DenoFlags() {}

    static List<String> of(Path runtime, Path scriptFolder, Path home, Path shared) {
        return List.of(
                "run",
                "--quiet",
                "--no-prompt",
                "--no-config",
                "--no-lock",
                "--import-map=" + runtime.resolve("import_map.json"),
                "--allow-env",
                "--allow-net",
                "--allow-sys",
                "--allow-read=" + scriptFolder + "," + runtime + "," + home + "," + shared,
                "--allow-write=/dev/fd/3," + home + "," + shared);
    }
}
