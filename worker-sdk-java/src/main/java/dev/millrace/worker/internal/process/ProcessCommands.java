package dev.millrace.worker.internal.process;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.packages.TrustedAuthorities;
import dev.millrace.worker.internal.python.InstalledPython;
import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.runtime.JobScope;
import dev.millrace.worker.language.ScriptLanguage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Command lines, folders and environments with which processes start. */
final class ProcessCommands {
    /** Makes room in the memory where the system shows a process's environment; each fork writes its own there. */
    private static final String TEMPLATE_VARIABLE = "MILLRACE_TEMPLATE";

    private final ProcessMark mark;
    private final CommandPrefixes prefixes = CommandPrefixes.find();
    private final ProcessFolders folders;
    private final RuntimeCopies runtimes;
    private final ProcessEnvironment environment;
    private final PythonCommands python;
    private final DenoCommands deno;
    private final Optional<ScriptSandboxes> sandboxes;
    private final OwnSandboxes own;

    ProcessCommands(ProcessHostOptions options, ProcessMark mark, TemporaryFolders temporary) throws IOException {
        Optional<Path> authorities = TrustedAuthorities.in(System.getenv());
        this.mark = mark;
        this.folders = new ProcessFolders(options, temporary);
        this.runtimes = new RuntimeCopies(options.folder().resolve("runtime"));
        this.environment = new ProcessEnvironment(options.passedEnvironment(), authorities, folders);
        this.python = new PythonCommands(options.python(), runtimes, prefixes);
        this.deno = new DenoCommands(options, runtimes, folders, environment, prefixes);
        Optional<Sandbox> sandbox = Sandbox.of(options.sandbox(), prefixes.endWithWorker(), interpreters(options));
        this.own = new OwnSandboxes(sandbox);
        this.sandboxes = sandbox.map(one -> new ScriptSandboxes(one, runtimes, folders, python, deno, authorities));
    }

    /** The files of the interpreters, which may be outside of the system's folders. */
    private static List<Path> interpreters(ProcessHostOptions options) {
        List<Path> files = new ArrayList<>();
        Executables.find(options.deno()).ifPresent(files::add);
        Executables.find(options.python()).ifPresent(python -> {
            files.add(python);
            Interpreters.foldersOf(python.toString()).forEach(files::add);
        });
        return files;
    }

    /** Whether processes run in a sandbox. Forks of a template would share one, so there is no template then. */
    boolean isSandboxed() {
        return sandboxes.isPresent();
    }

    ProcessFolders folders() {
        return folders;
    }

    PythonCommands python() {
        return python;
    }

    DenoCommands deno() {
        return deno;
    }

    /** The sandboxes of programs of the worker's own that read what others have written. */
    OwnSandboxes own() {
        return own;
    }

    /** Beginning of the command line of a program of the worker's own, which then ends with the worker. */
    List<String> ofOwnProgram() {
        return Stream.concat(mark.command(mark.next()).stream(), prefixes.endWithWorker().stream())
                .toList();
    }

    /**
     * Prepares the start of a process for this script.
     *
     * @param members the files of its control groups with their members
     */
    ProcessBuilder prepare(ScriptKey key, Script script, String processId, List<Path> members) {
        ScriptRuntime runtime = script.runtime();
        Path home = folders.homeOf(key, runtime);
        Path temporary = folders.temporary(processId, runtime);
        Optional<Path> calls = runtime.runsOnce() ? Optional.of(folders.calls(processId, runtime)) : Optional.empty();
        List<String> command = beginning(processId, script, members);
        command.addAll(interpreter(key, script, home, temporary, calls));
        ProcessBuilder builder = new ProcessBuilder(command).directory((calls.isPresent() ? temporary : home).toFile());
        environment.set(builder.environment(), key.scope(), script, home, temporary, processId);
        calls.ifPresent(
                folder -> ProcessEnvironment.setCommands(builder.environment(), runtimes.commands(runtime), folder));
        return builder;
    }

    private List<String> beginning(String processId, Script script, List<Path> members) {
        List<String> command = CommandPrefixes.inItsGroups(members);
        command.addAll(mark.command(processId, ResourceLimits.of(script)));
        return command;
    }

    private List<String> interpreter(ScriptKey key, Script script, Path home, Path temporary, Optional<Path> calls) {
        List<String> sandbox = sandboxes
                .map(around -> around.around(key.scope(), script, home, temporary, calls))
                .orElse(List.of());
        Optional<ScriptLanguage> language = script.runtime().language();
        if (language.isPresent()) {
            return ofLanguage(language.get(), script, sandbox);
        }
        return script.runtime() == ScriptRuntime.PYTHON
                ? python.script(script, sandbox)
                : deno.script(key.scope(), script, home, temporary, sandbox);
    }

    private List<String> ofLanguage(ScriptLanguage language, Script script, List<String> sandbox) {
        List<String> command = new ArrayList<>(prefixes.inOwnSession());
        if (script.runtime().runsOnce()) {
            command.addAll(CommandPrefixes.WAITS_FOR_ITS_JOB);
        }
        command.addAll(sandbox);
        command.addAll(language.command(script.version(runtimes.of(language, script.runtime()))));
        return command;
    }

    /**
     * Prepares the start of a process that waits for a script of this scope. Until then it may read what each of
     * them may.
     *
     * @param scripts parent of the folders with the scripts of all workspaces
     * @param members the files of its control groups with their members
     */
    ProcessBuilder prepareSpare(
            ScriptRuntime runtime,
            JobScope scope,
            Path scripts,
            JobLimits limits,
            String processId,
            List<Path> members) {
        Path homes = folders.homesOf(scope, runtime);
        Path temporary = folders.temporary(processId, runtime);
        Path parent = ProcessFolders.create(scripts.resolve(FolderName.of(scope.workspace())), "script", runtime);
        Script any = new Script(parent.resolve("none"), runtime).within(limits);
        List<String> command = beginning(processId, any, members);
        command.addAll(runtime.language()
                .map(language -> spareOf(language, runtime))
                .orElseGet(() -> deno.spare(scope, any, homes, temporary)));
        ProcessBuilder builder = new ProcessBuilder(command).directory(homes.toFile());
        environment.set(builder.environment(), scope, any, homes, temporary, processId);
        return builder;
    }

    private List<String> spareOf(ScriptLanguage language, ScriptRuntime runtime) {
        List<String> command = new ArrayList<>(prefixes.inOwnSession());
        command.addAll(
                runtimes.of(language, runtime).flatMap(language::spareCommand).orElseThrow());
        return command;
    }

    /** The line that tells a waiting process what it is to run. */
    byte[] assignment(ScriptKey key, Script script) {
        // What it has not loaded yet must be as the worker has written it, too.
        script.runtime()
                .language()
                .ifPresentOrElse(language -> runtimes.of(language, script.runtime()), runtimes::deno);
        return JobLine.script(script, folders.homeOf(key, script.runtime()));
    }

    /**
     * Prepares the start of the template of Python's processes; its arguments are still to be added.
     *
     * @param interpreter empty for the worker's own
     */
    ProcessBuilder template(Optional<InstalledPython> interpreter) {
        List<String> command = new ArrayList<>(mark.command(mark.ofTemplate()));
        command.addAll(python.template(interpreter));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folders.home().toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> variables = builder.environment();
        environment.setCommon(variables);
        variables.put("HOME", ProcessEnvironment.NO_HOME);
        variables.put(TEMPLATE_VARIABLE, TemplateProcess.PADDING);
        return builder;
    }

    /** Describes a process of a Python script to the template. */
    PythonTemplate.Wish fork(ScriptKey key, Script script, String processId, List<Path> members) {
        Path home = folders.homeOf(key, script.runtime());
        Map<String, String> variables = new HashMap<>(System.getenv());
        environment.set(
                variables, key.scope(), script, home, folders.temporary(processId, script.runtime()), processId);
        return new PythonTemplate.Wish(
                script.file(),
                home,
                variables,
                mark.limit(processId).orElse(PythonTemplate.Wish.UNMARKED),
                ResourceLimits.of(script),
                members);
    }
}
