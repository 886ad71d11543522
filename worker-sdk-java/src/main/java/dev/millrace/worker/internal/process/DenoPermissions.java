package dev.millrace.worker.internal.process;

import java.nio.file.Path;
import java.util.List;

/** What a script may do in Deno. */
final class DenoPermissions {
    private DenoPermissions() {}

    static List<String> runCommand(Path runtime, Path script, Path folder) {
        return List.of("run", "--allow-all", "--quiet", "--no-prompt", "--no-config", "--no-lock");
    }
}
