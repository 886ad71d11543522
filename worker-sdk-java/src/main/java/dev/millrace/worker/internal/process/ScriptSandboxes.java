package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.permission.Permission;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.runtime.JobScope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sandboxes of processes: what in them can be read and written, which depends on the script. */
final class ScriptSandboxes {
    private final Sandbox sandbox;
    private final RuntimeCopies runtimes;
    private final ProcessFolders folders;
    private final PythonCommands python;
    private final DenoCommands deno;
    private final Optional<Path> authorities;

    /** @param authorities file with further authorities that Deno is to trust */
    ScriptSandboxes(
            Sandbox sandbox,
            RuntimeCopies runtimes,
            ProcessFolders folders,
            PythonCommands python,
            DenoCommands deno,
            Optional<Path> authorities) {
        this.sandbox = sandbox;
        this.runtimes = runtimes;
        this.folders = folders;
        this.python = python;
        this.deno = deno;
        this.authorities = authorities;
    }

    /**
     * Beginning of a command line that runs an interpreter in a sandbox.
     *
     * @param home private folder of the script
     * @param calls folder for the calls of a process that runs once; empty for others
     */
    List<String> around(JobScope scope, Script script, Path home, Path temporary, Optional<Path> calls) {
        ScriptRuntime runtime = script.runtime();
        List<Path> readable = new ArrayList<>(List.of(script.folder()));
        readable.addAll(runtimeOf(script));
        readable.addAll(script.packages().folders());
        script.prepared().ifPresent(readable::add);
        List<Path> writable = new ArrayList<>(List.of(home, temporary));
        writable.add(folders.createShared(scope, runtime));
        calls.ifPresent(folder -> {
            readable.add(runtimes.commands(runtime));
            writable.add(folder);
        });
        if (runtime == ScriptRuntime.DENO) {
            // That of the scope, as the one of a set of packages has links to it.
            writable.add(folders.denoOf(scope));
            authorities.ifPresent(readable::add);
            Permissions permissions = deno.permissions(script);
            readable.addAll(permissions.paths(Permission.READ));
            readable.addAll(permissions.paths(Permission.FFI));
            permissions.paths(Permission.WRITE).stream().filter(Files::exists).forEach(writable::add);
        }
        return sandbox.command(calls.isPresent() ? temporary : home, readable, writable);
    }

    /** What the interpreter of a script reads. */
    private List<Path> runtimeOf(Script script) {
        List<Path> files = new ArrayList<>();
        if (script.runtime().language().isPresent()) {
            var language = script.runtime().language().get();
            files.addAll(language.files());
            runtimes.of(language, script.runtime()).ifPresent(files::add);
        } else if (script.runtime() == ScriptRuntime.PYTHON) {
            files.add(python.runtime(script.python()));
            script.python().ifPresent(interpreter -> {
                files.add(interpreter.program());
                files.addAll(interpreter.folders());
            });
        } else {
            files.add(runtimes.deno());
        }
        return files;
    }
}
