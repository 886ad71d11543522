package dev.millrace.worker.internal.process;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.internal.packages.DenoSet;
import dev.millrace.worker.internal.packages.TrustedAuthorities;
import dev.millrace.worker.internal.permission.Permission;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.python.InstalledPython;
import dev.millrace.worker.internal.runtime.FolderName;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.internal.session.SharedFolders;
import dev.millrace.worker.language.ScriptLanguage;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Command lines and environment for starting processes. */
final class ProcessCommands {
    static final String PROCESS_ID_VARIABLE = "MILLRACE_PROCESS_ID";

    /** Folders of packages, which the runtime takes out of the environment. */
    private static final String PACKAGES_VARIABLE = "MILLRACE_PACKAGES";

    /** Folder with all files of the script, which the runtime takes out of the environment. */
    private static final String FILES_VARIABLE = "MILLRACE_FILES";

    /** Which authorities Deno trusts: {@code system} for those of the machine. */
    private static final String AUTHORITY_STORE = "DENO_TLS_CA_STORE";

    /** Makes room in the memory where the system shows a process's environment; each fork writes its own there. */
    private static final String TEMPLATE_VARIABLE = "MILLRACE_TEMPLATE";

    /** The template has no folder of its own, and must not find packages in that of the worker's user. */
    private static final String NO_HOME = "/nonexistent";

    /** Deno's frames channel is its file descriptor 3; its own stdout is redirected to stderr. */
    private static final List<String> FRAMES_ON_FD_3 = List.of("sh", "-c", "exec \"$@\" 3>&1 1>&2", "sh");

    /**
     * A process that runs once begins when its job does, which a first line tells; a shell reads no more of a pipe than
     * that line.
     */
    private static final List<String> WAITS_FOR_ITS_JOB =
            List.of("sh", "-c", "IFS= read -r job || exit 0; exec \"$@\"", "sh");

    /** Joins a control group, given by its file of members, before it runs the rest. */
    private static final List<String> IN_ITS_GROUP = List.of("sh", "-c", "echo 0 > \"$0\" && exec \"$@\"");

    private static final Logger logger = LoggerFactory.getLogger(ProcessCommands.class);

    /**
     * Capabilities that let one process read another, in setpriv's notation, followed by those that kernels before 5.8
     * know.
     */
    private static final List<String> READS_OTHERS =
            List.of("-sys_ptrace,-perfmon,-sys_admin", "-sys_ptrace,-sys_admin");

    /** Longest wait for background preparations when the worker stops. */
    private static final long PREPARING_MILLIS_MAX = 5_000;

    private final ProcessHostOptions options;
    private final List<String> ownGroup;
    private final List<String> endWithWorker;
    private final ProcessMark mark;
    /** By the name of the copy. */
    private final Map<String, RuntimeFiles> runtimes = new ConcurrentHashMap<>();

    private final RuntimeFiles programs;

    private final Path home;
    private final Path shared;
    private final TemporaryFolders temporary;
    private final Optional<Sandbox> sandbox;
    /** The file of the worker with further authorities that Deno is to trust. */
    private final Optional<Path> authorities = TrustedAuthorities.in(System.getenv());

    private volatile @Nullable Thread preparing;

    ProcessCommands(ProcessHostOptions options, ProcessMark mark, TemporaryFolders temporary) throws IOException {
        this.options = options;
        this.temporary = temporary;
        this.mark = mark;
        this.home = Files.createDirectories(options.folder().resolve("home")).toAbsolutePath();
        this.shared = options.sharedFolders();
        this.programs = RuntimeFiles.ofCommands(options.folder().resolve("runtime"));
        this.ownGroup =
                Executables.find("setsid").map(path -> List.of(path.toString())).orElse(List.of());
        this.endWithWorker = Executables.find("setpriv")
                .map(path -> Stream.concat(
                                Stream.of(path.toString(), "--pdeathsig", "KILL"), withoutReadingOthers(path).stream())
                        .collect(toList()))
                .orElse(List.of());
        this.sandbox = Sandbox.of(options.sandbox(), endWithWorker, interpreters());
    }

    /** The files of the interpreters, which may be outside of the system's folders. */
    private List<Path> interpreters() {
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
        return sandbox.isPresent();
    }

    /** Beginning of the command of an interpreter: the sandbox around it, if there is one. */
    private List<String> sandboxed(String workspace, Script script, Path folder, Path temporaryFolder) {
        return sandbox.map(around -> {
                    List<Path> readable = new ArrayList<>(List.of(script.folder()));
                    if (script.runtime().language().isEmpty()) {
                        readable.add(runtime(script.runtime(), script.python()));
                    }
                    readable.addAll(script.packages().folders());
                    script.prepared().ifPresent(readable::add);
                    script.runtime().language().ifPresent(language -> {
                        readable.addAll(language.files());
                        filesOf(language, script.runtime()).ifPresent(readable::add);
                    });
                    script.python().ifPresent(python -> {
                        readable.add(python.program());
                        readable.addAll(python.folders());
                    });
                    List<Path> writable = new ArrayList<>(List.of(folder, temporaryFolder));
                    if (script.runtime().runsOnce()) {
                        readable.add(programs(script.runtime()));
                        writable.add(
                                temporary.forCalls(temporaryFolder.getFileName().toString()));
                    }
                    writable.add(made(SharedFolders.ofWorkspace(shared, workspace), script.runtime()));
                    if (script.runtime() == ScriptRuntime.DENO) {
                        // That of the workspace, as the one of a set of packages has links to it.
                        writable.add(made(DenoFolder.ofWorkspace(denoFolders(), workspace), script.runtime()));
                        Permissions permissions = permissions(script);
                        authorities.ifPresent(readable::add);
                        readable.addAll(permissions.paths(Permission.READ));
                        readable.addAll(permissions.paths(Permission.FFI));
                        permissions.paths(Permission.WRITE).stream()
                                .filter(Files::exists)
                                .forEach(writable::add);
                    }
                    return around.command(script.runtime().runsOnce() ? temporaryFolder : folder, readable, writable);
                })
                .orElse(List.of());
    }

    private static Path made(Path folder, ScriptRuntime runtime) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new WorkerFault("The worker cannot make a folder for its processes: " + e + ".", runtime);
        }
    }

    /**
     * Prepares the runtime of Python on a thread of its own, which takes some 100 ms.
     *
     * @param prepared runs on that thread when the runtime is there
     */
    void prepare(Runnable prepared) {
        if (Executables.find(options.python()).isPresent()) {
            preparing = Threads.daemon("millrace-runtime-compiler", () -> {
                if (preparePython()) {
                    prepared.run();
                }
            });
            preparing.start();
        }
    }

    /** Beginning of the command line of a program of the worker's own, which then ends with the worker. */
    List<String> ofOwnProgram() {
        return Stream.concat(mark.command(mark.next()).stream(), endWithWorker.stream())
                .toList();
    }

    /** Waits a limited time until no background preparation writes files. */
    void close() {
        Thread thread = preparing;
        try {
            if (thread != null) {
                thread.join(PREPARING_MILLIS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns a command that drops the capabilities to read other processes. With them, the superuser may read the
     * environment and memory of all processes, even the worker's. Empty for other users, who lack these capabilities.
     */
    private static List<String> withoutReadingOthers(Path setpriv) {
        for (String dropped : READS_OTHERS) {
            List<String> options = List.of("--bounding-set=" + dropped, "--inh-caps=" + dropped);
            List<String> command = new ArrayList<>(List.of(setpriv.toString()));
            command.addAll(options);
            command.add("true");
            if (succeeds(command)) {
                return options;
            }
        }
        return List.of();
    }

    /** Whether a short command of the worker's own succeeds. */
    static boolean succeeds(List<String> command) {
        try {
            return scrubbed(new ProcessBuilder(command))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean preparePython() {
        try {
            runtime(ScriptRuntime.PYTHON, Optional.empty());
            return true;
        } catch (LoadException e) {
            logger.debug("The Python runtime could not be prepared; the first job will say so.", e);
            return false;
        }
    }

    /**
     * Prepares the start of a process for this script.
     *
     * @param members the file of its control group with the group's members, if it has a group
     */
    ProcessBuilder prepare(ScriptKey key, Script script, String processId, Optional<Path> members) {
        List<String> command = inItsGroup(members);
        Path folder = privateFolder(key, script.runtime());
        Path temporaryFolder = temporaryFolder(processId, script.runtime());
        if (script.runtime().runsOnce()) {
            made(temporary.forCalls(processId), script.runtime());
        }
        command.addAll(mark.command(processId, ResourceLimits.of(script)));
        script.runtime()
                .language()
                .ifPresentOrElse(
                        language -> command.addAll(ofLanguage(
                                language, script, sandboxed(key.workspace(), script, folder, temporaryFolder))),
                        () -> command.addAll(
                                script.runtime() == ScriptRuntime.PYTHON
                                        ? python(script, sandboxed(key.workspace(), script, folder, temporaryFolder))
                                        : denoScript(key, script, folder, temporaryFolder)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory((script.runtime().runsOnce() ? temporaryFolder : folder).toFile());
        setEnvironment(builder.environment(), key.workspace(), script, folder, temporaryFolder, processId);
        return builder;
    }

    /**
     * Prepares the start of a process that waits for a script of this workspace. Until then it may read what each of
     * them may.
     *
     * @param scripts parent of the folders with the scripts of all workspaces
     * @param members the file of its control group with the group's members, if it has a group
     */
    ProcessBuilder prepareSpare(
            ScriptRuntime runtime,
            String workspace,
            Path scripts,
            JobLimits limits,
            String processId,
            Optional<Path> members) {
        Path folders = made(scripts.resolve(FolderName.of(workspace)), runtime);
        Path homes = made(home.resolve(FolderName.of(workspace)), runtime);
        Path temporaryFolder = temporaryFolder(processId, runtime);
        // It stands for all scripts of the workspace: its folder is the parent of theirs.
        Script any = new Script(folders.resolve("none"), runtime).within(limits);
        List<String> command = inItsGroup(members);
        command.addAll(mark.command(processId, ResourceLimits.of(any)));
        runtime.language()
                .ifPresentOrElse(
                        language -> {
                            command.addAll(ownGroup);
                            command.addAll(endWithWorker);
                            command.addAll(filesOf(language, runtime)
                                    .flatMap(language::spareCommand)
                                    .orElseThrow());
                        },
                        () -> {
                            command.addAll(deno(workspace, any, homes, temporaryFolder));
                            command.addAll(List.of("--spare", folders.toString(), homes.toString()));
                        });
        ProcessBuilder builder = new ProcessBuilder(command).directory(homes.toFile());
        setEnvironment(builder.environment(), workspace, any, homes, temporaryFolder, processId);
        return builder;
    }

    /** The line that tells a waiting process what it is to run. */
    byte[] assignment(ScriptKey key, Script script) {
        // What it has not loaded yet must be as the worker has written it, too.
        script.runtime()
                .language()
                .ifPresentOrElse(
                        language -> filesOf(language, script.runtime()),
                        () -> runtime(script.runtime(), Optional.empty()));
        return JobLine.script(script, privateFolder(key, script.runtime()));
    }

    /** Folder with the files that a language brings itself; empty if it brings none. */
    private Optional<Path> filesOf(ScriptLanguage language, ScriptRuntime runtime) {
        try {
            RuntimeFiles files = runtimes.computeIfAbsent(language.name(), unused -> extract(runtime, language));
            return files.isEmpty() ? Optional.empty() : Optional.of(files.restore());
        } catch (IOException e) {
            throw cannotWriteRuntime(runtime, e);
        }
    }

    private RuntimeFiles extract(ScriptRuntime runtime, ScriptLanguage language) {
        try {
            return RuntimeFiles.of(language, options.folder().resolve("runtime"));
        } catch (UncheckedIOException e) {
            throw cannotWriteRuntime(runtime, requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw cannotWriteRuntime(runtime, e);
        }
    }

    private static List<String> inItsGroup(Optional<Path> members) {
        List<String> command = new ArrayList<>();
        members.ifPresent(file -> {
            command.addAll(IN_ITS_GROUP);
            command.add(file.toString());
        });
        return command;
    }

    private List<String> ofLanguage(ScriptLanguage language, Script script, List<String> sandboxed) {
        List<String> command = new ArrayList<>(ownGroup);
        command.addAll(endWithWorker);
        if (script.runtime().runsOnce()) {
            command.addAll(WAITS_FOR_ITS_JOB);
        }
        command.addAll(sandboxed);
        command.addAll(language.command(script.version(filesOf(language, script.runtime()))));
        return command;
    }

    private List<String> denoScript(ScriptKey key, Script script, Path folder, Path temporaryFolder) {
        List<String> command = deno(key.workspace(), script, folder, temporaryFolder);
        command.add(script.file().toString());
        return command;
    }

    private List<String> deno(String workspace, Script script, Path folder, Path temporaryFolder) {
        Path runtime = runtime(ScriptRuntime.DENO, Optional.empty());
        List<String> command = new ArrayList<>(ownGroup);
        command.addAll(endWithWorker);
        command.addAll(FRAMES_ON_FD_3);
        command.addAll(sandboxed(workspace, script, folder, temporaryFolder));
        command.add(executable(options.deno(), script.runtime(), "Deno 2", "MILLRACE_DENO"));
        command.addAll(DenoFlags.of(
                runtime,
                script,
                permissions(script),
                folder,
                temporaryFolder,
                SharedFolders.ofWorkspace(shared, workspace)));
        command.add(runtime.resolve("process.ts").toString());
        return command;
    }

    /** What a script for Deno has beside its folders. */
    private Permissions permissions(Script script) {
        return DenoPermissions.of(script, options.denoPermissions());
    }

    private List<String> python(Script script, List<String> sandboxed) {
        List<String> command = new ArrayList<>(python(script.python(), sandboxed));
        command.add(script.file().toString());
        return command;
    }

    private List<String> python(Optional<InstalledPython> interpreter, List<String> sandboxed) {
        Path runtime = runtime(ScriptRuntime.PYTHON, interpreter);
        List<String> command = new ArrayList<>(endWithWorker);
        command.addAll(sandboxed);
        command.add(pythonProgram(interpreter));
        command.add(runtime.resolve("millrace/__main__.py").toString());
        return command;
    }

    private String pythonProgram(Optional<InstalledPython> interpreter) {
        return executable(
                interpreter.map(python -> python.program().toString()).orElse(options.python()),
                ScriptRuntime.PYTHON,
                "Python 3.10 or newer",
                "MILLRACE_PYTHON");
    }

    /**
     * Prepares the start of the template of Python's processes; its arguments are still to be added.
     *
     * @param interpreter empty for the worker's own
     */
    ProcessBuilder prepareTemplate(Optional<InstalledPython> interpreter) {
        List<String> command = new ArrayList<>(mark.command(mark.ofTemplate()));
        command.addAll(python(interpreter, List.of()));
        command.add("--template");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(home.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        setCommonEnvironment(environment);
        environment.put("HOME", NO_HOME);
        environment.put(TEMPLATE_VARIABLE, TemplateProcess.PADDING);
        return builder;
    }

    /** Describes a process of a Python script to the template. */
    PythonTemplate.Wish wish(ScriptKey key, Script script, String processId, Optional<Path> members) {
        Path folder = privateFolder(key, script.runtime());
        Map<String, String> environment = new HashMap<>(System.getenv());
        setEnvironment(
                environment, key.workspace(), script, folder, temporaryFolder(processId, script.runtime()), processId);
        return new PythonTemplate.Wish(
                script.file(),
                folder,
                environment,
                mark.limit(processId).orElse(PythonTemplate.Wish.UNMARKED),
                ResourceLimits.of(script),
                members);
    }

    /**
     * Removes the worker's environment from a command of its own: it holds secrets that could be read while the command
     * runs.
     */
    static ProcessBuilder scrubbed(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
        return builder;
    }

    private void setEnvironment(
            Map<String, String> environment,
            String workspace,
            Script script,
            Path folder,
            Path temporaryFolder,
            String processId) {
        setCommonEnvironment(environment);
        environment.put("HOME", folder.toString());
        environment.put("TMPDIR", temporaryFolder.toString());
        environment.put("MILLRACE_WORKSPACE", workspace);
        environment.put(PROCESS_ID_VARIABLE, processId);
        if (script.runtime().runsOnce()) {
            environment.put(CallFolder.VARIABLE, temporary.forCalls(processId).toString());
            environment.put("PATH", programs(script.runtime()) + File.pathSeparator + environment.get("PATH"));
        }
        script.tree().ifPresent(tree -> environment.put(FILES_VARIABLE, tree.toString()));
        if (script.runtime() == ScriptRuntime.PYTHON
                && !script.packages().folders().isEmpty()) {
            environment.put(
                    PACKAGES_VARIABLE,
                    script.packages().folders().stream().map(Path::toString).collect(joining(File.pathSeparator)));
        }
        if (script.runtime() == ScriptRuntime.DENO) {
            setDenoEnvironment(environment, workspace, script);
        }
    }

    private void setDenoEnvironment(Map<String, String> environment, String workspace, Script script) {
        environment.put("DENO_DIR", denoFolder(workspace, script).toString());
        authorities.ifPresent(file -> environment.put("DENO_CERT", file.toString()));
        Optional.ofNullable(System.getenv(AUTHORITY_STORE)).ifPresent(store -> environment.put(AUTHORITY_STORE, store));
        if (!script.packages().folders().isEmpty()) {
            environment.put("NPM_CONFIG_REGISTRY", DenoSet.REGISTRY_ADDRESS);
        }
        environment.put("DENO_NO_UPDATE_CHECK", "1");
        environment.put("NO_COLOR", "1");
    }

    private void setCommonEnvironment(Map<String, String> environment) {
        environment.keySet().removeIf(name -> !options.passedEnvironment().contains(name));
        environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"));
        environment.put("LANG", "C.UTF-8");
        environment.put("TZ", System.getenv().getOrDefault("TZ", "UTC"));
    }

    /** @param interpreter of Python; empty for the worker's own, and for other runtimes */
    private Path runtime(ScriptRuntime runtime, Optional<InstalledPython> interpreter) {
        String copy = interpreter.map(InstalledPython::name).orElse(runtime.name());
        try {
            return runtimes.computeIfAbsent(copy, unused -> extract(runtime, copy, interpreter))
                    .restore();
        } catch (IOException e) {
            throw cannotWriteRuntime(runtime, e);
        }
    }

    /** Folder of the commands for processes that speak no protocol. */
    private Path programs(ScriptRuntime runtime) {
        try {
            return programs.restore();
        } catch (IOException e) {
            throw cannotWriteRuntime(runtime, e);
        }
    }

    private RuntimeFiles extract(ScriptRuntime runtime, String copy, Optional<InstalledPython> interpreter) {
        try {
            RuntimeFiles files = new RuntimeFiles(runtime, options.folder().resolve("runtime"), copy);
            if (runtime == ScriptRuntime.PYTHON) {
                files.compile(pythonProgram(interpreter));
            }
            return files;
        } catch (IOException e) {
            throw cannotWriteRuntime(runtime, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerFault("The worker is stopping.", runtime);
        }
    }

    private static WorkerFault cannotWriteRuntime(ScriptRuntime runtime, IOException failure) {
        return new WorkerFault("The worker cannot write its own runtime files: " + failure + ".", runtime);
    }

    /** Parent of the folders that workspaces have for Deno. */
    Path denoFolders() {
        return options.folder().resolve("deno");
    }

    private Path denoFolder(String workspace, Script script) {
        try {
            return DenoFolder.of(denoFolders(), workspace, script);
        } catch (IOException e) {
            throw new WorkerFault("The worker cannot make a folder for Deno: " + e + ".", script.runtime());
        }
    }

    /** How Deno checks the types of a script. */
    DenoCheck denoCheck(ScriptKey key, Script script) {
        List<String> command = new ArrayList<>();
        command.add(executable(options.deno(), script.runtime(), "Deno 2", "MILLRACE_DENO"));
        command.addAll(DenoFlags.ofCheck(runtime(ScriptRuntime.DENO, Optional.empty()), script));
        Map<String, String> environment = new HashMap<>();
        setDenoEnvironment(environment, key.workspace(), script);
        environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"));
        environment.put("HOME", NO_HOME);
        return new DenoCheck(command, new Command.Environment(environment, ofOwnProgram()), script.folder());
    }

    /** How Deno reads the signature of a script: with a program of our own, which reads its files and runs Deno. */
    List<String> ofDenoSignature(Script script) {
        String deno = executable(options.deno(), script.runtime(), "Deno 2", "MILLRACE_DENO");
        List<String> command = new ArrayList<>(List.of(deno));
        command.addAll(DenoFlags.ofSignature(runtime(ScriptRuntime.DENO, Optional.empty()), script, deno));
        return command;
    }

    /** Variables of Deno for programs of our own, whose cache is apart from those in which scripts may write. */
    Map<String, String> ownDenoVariables() throws IOException {
        Path cache = PrivateFiles.folder(options.folder().resolve("deno-own"));
        return Map.of(
                "DENO_DIR",
                cache.toAbsolutePath().toString(),
                "DENO_NO_UPDATE_CHECK",
                "1",
                "PATH",
                System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"),
                "HOME",
                NO_HOME);
    }

    /** Beginning of the command line of a Python program of our own: the interpreter, and what runs a module of the runtime. */
    List<String> ofPythonModule(Optional<InstalledPython> interpreter, String code) {
        return List.of(
                pythonProgram(interpreter),
                "-I",
                "-S",
                "-c",
                "import sys; sys.path.insert(0, sys.argv.pop(1)); " + code,
                runtime(ScriptRuntime.PYTHON, interpreter).toString());
    }

    /** The import map with which a script runs in Deno. */
    String denoImportMap(Script script) {
        return DenoImportMap.of(runtime(ScriptRuntime.DENO, Optional.empty()), script);
    }

    private Path privateFolder(ScriptKey key, ScriptRuntime runtime) {
        try {
            return Files.createDirectories(key.folderBelow(home));
        } catch (IOException e) {
            throw new WorkerFault("The worker cannot make a private folder for its processes: " + e + ".", runtime);
        }
    }

    private Path temporaryFolder(String processId, ScriptRuntime runtime) {
        try {
            return temporary.create(processId);
        } catch (IOException e) {
            throw new WorkerFault("The worker cannot make a temporary folder for a process: " + e + ".", runtime);
        }
    }

    private static String executable(String program, ScriptRuntime runtime, String what, String variable) {
        return Executables.find(program)
                .map(Path::toString)
                .orElseThrow(() -> new WorkerFault(
                        "This worker found no \"" + program + "\" to run the script with: install " + what + ", or set "
                                + variable + " to its path, and restart the worker.",
                        runtime));
    }
}
