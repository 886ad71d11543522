package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.session.SharedFolders;
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

    /** Parent of the private folders of all workspaces. */
    Path home() {
        return home;
    }

    /** Parent of the private folders of a workspace. */
    Path homesOf(String workspace, ScriptRuntime runtime) {
        return create(home.resolve(FolderName.of(workspace)), "private", runtime);
    }

    /** Private folder of a script, in which its processes work. */
    Path homeOf(ScriptKey key, ScriptRuntime runtime) {
        return create(key.folderBelow(home), "private", runtime);
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

    /** Folder that jobs of a workspace share; it may not exist. */
    Path shared(String workspace) {
        return SharedFolders.ofWorkspace(shared, workspace);
    }

    /** Folder that jobs of a workspace share. */
    Path createShared(String workspace, ScriptRuntime runtime) {
        return create(shared(workspace), "shared", runtime);
    }

    /** Parent of the folders that workspaces have for Deno. */
    Path deno() {
        return deno;
    }

    /** Folder of a workspace for Deno. */
    Path denoOf(String workspace) {
        return create(DenoFolder.ofWorkspace(deno, workspace), "cache", ScriptRuntime.DENO);
    }

    /** Folder in which Deno keeps what it makes of a script: that of the workspace, or one for the packages of the script. */
    Path denoOf(String workspace, Script script) {
        try {
            return DenoFolder.of(deno, workspace, script);
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
