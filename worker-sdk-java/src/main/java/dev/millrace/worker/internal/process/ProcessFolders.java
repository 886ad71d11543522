package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.runtime.JobScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Folders that processes get beside that of their script. Creates them when they are first needed; if that fails, the fault
 * is the worker's.
 */
final class ProcessFolders {
    private final Path home;
    private final Path shared;
    private final Path deno;
    private final TemporaryFolders temporary;

    ProcessFolders(ProcessHostOptions options, TemporaryFolders temporary) throws IOException {
        this.home = Files.createDirectories(options.folder().resolve("home")).toAbsolutePath();
        this.shared = options.sharedFolders();
        this.deno = options.folder().resolve("deno");
        this.temporary = temporary;
    }

    /** Parent of the private folders of all scopes. */
    Path home() {
        return home;
    }

    /** Parent of the private folders of a scope. */
    Path homesOf(JobScope scope, ScriptRuntime runtime) {
        return create(scope.below(home), "private", runtime);
    }

    /** Private folder of a script, in which its processes work. */
    Path homeOf(ScriptKey key, ScriptRuntime runtime) {
        return create(key.dataBelow(home), "private", runtime);
    }

    /** Temporary folder of a process. */
    Path temporary(String processId, ScriptRuntime runtime) {
        try {
            return temporary.create(processId);
        } catch (IOException e) {
            throw cannotCreate("temporary", runtime, e);
        }
    }

    /** Folder in which a process that runs once puts its calls. */
    Path calls(String processId, ScriptRuntime runtime) {
        return create(temporary.forCalls(processId), "temporary", runtime);
    }

    /** Folder that jobs of a scope share; it may not exist. */
    Path shared(JobScope scope) {
        return scope.below(shared);
    }

    /** Folder that jobs of a scope share. */
    Path createShared(JobScope scope, ScriptRuntime runtime) {
        return create(shared(scope), "shared", runtime);
    }

    /** Parent of the folders that scopes have for Deno. */
    Path deno() {
        return deno;
    }

    /** Folder of a scope for Deno. */
    Path denoOf(JobScope scope) {
        return create(DenoFolder.of(deno, scope), "cache", ScriptRuntime.DENO);
    }

    /** Folder in which Deno keeps what it makes of a script: that of the scope, or one for the packages of the script. */
    Path denoOf(JobScope scope, Script script) {
        try {
            return DenoFolder.of(deno, scope, script);
        } catch (IOException e) {
            throw cannotCreate("cache", script.runtime(), e);
        }
    }

    /** Creates a folder for a script, with those above it. */
    static Path create(Path folder, String kind, ScriptRuntime runtime) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw cannotCreate(kind, runtime, e);
        }
    }

    private static WorkerFault cannotCreate(String kind, ScriptRuntime runtime, IOException failure) {
        return new WorkerFault(
                "The worker cannot make a " + kind + " folder for its processes: " + failure + ".", runtime);
    }
}
