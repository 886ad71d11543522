package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.internal.packages.DenoSet;
import dev.millrace.worker.internal.packages.ImportHosts;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.runtime.JobScope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Command lines of Deno: for the processes of scripts, and for the worker's own questions about them. */
final class DenoCommands {
    private final ProcessHostOptions options;
    private final RuntimeCopies runtimes;
    private final ProcessFolders folders;
    private final ProcessEnvironment environment;
    private final CommandPrefixes prefixes;

    DenoCommands(
            ProcessHostOptions options,
            RuntimeCopies runtimes,
            ProcessFolders folders,
            ProcessEnvironment environment,
            CommandPrefixes prefixes) {
        this.options = options;
        this.runtimes = runtimes;
        this.folders = folders;
        this.environment = environment;
        this.prefixes = prefixes;
    }

    /** Runs a script. */
    List<String> script(JobScope scope, Script script, Path home, Path temporary, List<String> sandbox) {
        List<String> command = loop(scope, script, home, temporary, sandbox);
        command.add(script.file().toString());
        return command;
    }

    /**
     * Waits for a script of a scope.
     *
     * @param any stands for all scripts of the workspace: its folder is the parent of theirs
     * @param homes parent of the private folders of the scope
     */
    List<String> spare(JobScope scope, Script any, Path homes, Path temporary) {
        List<String> command = loop(scope, any, homes, temporary, List.of());
        command.addAll(List.of("--spare", any.folder().toString(), homes.toString()));
        return command;
    }

    private List<String> loop(JobScope scope, Script script, Path home, Path temporary, List<String> sandbox) {
        Path runtime = runtimes.deno();
        List<String> command = new ArrayList<>(prefixes.inOwnSession());
        command.addAll(CommandPrefixes.FRAMES_ON_FD_3);
        command.addAll(sandbox);
        command.add(program(script));
        command.addAll(DenoFlags.of(
                runtime, script, permissions(script), imports(script), home, temporary, folders.shared(scope)));
        command.add(runtime.resolve("process.ts").toString());
        return command;
    }

    /** What a script has beside its folders. */
    Permissions permissions(Script script) {
        return DenoPermissions.of(script, options.denoPermissions());
    }

    /** Hosts from which a running script imports modules: those that it may reach, and registries for its packages. */
    private ImportHosts imports(Script script) {
        return script.packages().folders().isEmpty()
                ? ImportHosts.of(options.packageSources().importHosts()).within(permissions(script))
                : installedImports(script);
    }

    /** Hosts from which the modules of a script are fetched before it runs. */
    ImportHosts installedImports(Script script) {
        return ImportHosts.of(options.packageSources().importHosts())
                .within(permissions(script))
                .with(DenoSet.registries(System.getenv()));
    }

    /** The folder of the runtime, to which import maps lead. */
    Path runtime() {
        return runtimes.deno();
    }

    /**
     * Checks the types of a script.
     *
     * @param beginning of the command line, which lets the program end with the worker
     */
    DenoCheck check(ScriptKey key, Script script, List<String> beginning) {
        List<String> command = new ArrayList<>();
        command.add(program(script));
        command.addAll(DenoFlags.ofCheck(runtimes.deno(), script, installedImports(script)));
        Map<String, String> variables = new HashMap<>();
        environment.setDeno(variables, key.scope(), script);
        variables.put("PATH", ProcessEnvironment.path());
        variables.put("HOME", ProcessEnvironment.NO_HOME);
        return new DenoCheck(command, new Command.Environment(variables, beginning), script.folder());
    }

    /** Reads the signature of a script: with a program of our own, which reads its files and runs Deno. */
    List<String> signature(Script script) {
        String deno = program(script);
        List<String> command = new ArrayList<>(List.of(deno));
        command.addAll(DenoFlags.ofSignature(runtimes.deno(), script, deno));
        return command;
    }

    /** The cache of programs of our own, apart from those in which scripts may write. */
    Path ownCache() throws IOException {
        return PrivateFiles.folder(options.folder().resolve("deno-own")).toAbsolutePath();
    }

    /** Variables for programs of our own, with their cache. */
    static Map<String, String> ownVariables(Path cache) {
        return Map.of(
                "DENO_DIR",
                cache.toString(),
                "DENO_NO_UPDATE_CHECK",
                "1",
                "PATH",
                ProcessEnvironment.path(),
                "HOME",
                ProcessEnvironment.NO_HOME);
    }

    /** The import map with which a script runs. */
    String importMap(Script script) {
        return DenoImportMap.of(runtimes.deno(), script);
    }

    private String program(Script script) {
        return Executables.require(options.deno(), script.runtime(), "Deno 2", "MILLRACE_DENO");
    }
}
