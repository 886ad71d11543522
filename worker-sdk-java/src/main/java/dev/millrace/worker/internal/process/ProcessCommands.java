package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.session.SharedFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The command lines and the environment with which processes start. */
final class ProcessCommands {
    static final String PROCESS_ID_VARIABLE = "MILLRACE_PROCESS_ID";

    /** Deno's frames channel is its file descriptor 3; its own stdout goes where its stderr goes. */
    private static final List<String> FRAMES_ON_FD_3 = List.of("sh", "-c", "exec \"$@\" 3>&1 1>&2", "sh");

    private final ProcessHostOptions options;
    private final List<String> ownGroup;
    private final List<String> endWithWorker;
    private final Map<ScriptRuntime, Path> runtimes = new ConcurrentHashMap<>();
    private final Path home;
    private final Path shared;

    ProcessCommands(ProcessHostOptions options) throws IOException {
        this.options = options;
        this.home = Files.createDirectories(options.folder().resolve("home")).toAbsolutePath();
        this.shared = options.sharedFolders();
        this.ownGroup =
                Executables.find("setsid").map(path -> List.of(path.toString())).orElse(List.of());
        this.endWithWorker = Executables.find("setpriv")
                .map(path -> List.of(path.toString(), "--pdeathsig", "KILL"))
                .orElse(List.of());
    }

    /** Prepares the start of a process for this script. */
    ProcessBuilder prepare(ScriptKey key, Script script, String processId) throws IOException {
        List<String> command = new ArrayList<>();
        Path folder = Files.createDirectories(key.folderBelow(home));
        Path runtime = runtimes.computeIfAbsent(script.runtime(), this::extract);
        switch (script.runtime()) {
            case PYTHON -> {
                command.addAll(endWithWorker);
                command.add(executable(options.python(), "Python 3.10 or newer", "MILLRACE_PYTHON"));
                command.add(runtime.resolve("millrace/__main__.py").toString());
            }
            case DENO -> {
                command.addAll(ownGroup);
                command.addAll(endWithWorker);
                command.addAll(FRAMES_ON_FD_3);
                command.add(executable(options.deno(), "Deno 2", "MILLRACE_DENO"));
                command.addAll(DenoFlags.of(
                        runtime, script.folder(), folder, SharedFolders.ofWorkspace(shared, key.workspace())));
                command.add(runtime.resolve("process.ts").toString());
            }
        }
        command.add(script.file().toString());
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        setEnvironment(builder.environment(), key, script.runtime(), folder, processId);
        return builder;
    }

    private void setEnvironment(
            Map<String, String> environment, ScriptKey key, ScriptRuntime kind, Path folder, String processId) {
        environment.keySet().removeIf(name -> !options.passedEnvironment().contains(name));
        environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"));
        environment.put("HOME", folder.toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("TZ", System.getenv().getOrDefault("TZ", "UTC"));
        environment.put("MILLRACE_WORKSPACE", key.workspace());
        environment.put(PROCESS_ID_VARIABLE, processId);
        if (kind == ScriptRuntime.DENO) {
            environment.put(
                    "DENO_DIR",
                    options.folder().resolve("deno").toAbsolutePath().toString());
            environment.put("DENO_NO_UPDATE_CHECK", "1");
            environment.put("NO_COLOR", "1");
            environment.put("TMPDIR", folder.toString());
        }
    }

    private Path extract(ScriptRuntime runtime) {
        try {
            return RuntimeFiles.extract(runtime, options.folder().resolve("runtime"));
        } catch (IOException e) {
            throw new LoadException("The worker's own runtime files could not be written: " + e.getMessage(), true);
        }
    }

    private static String executable(String program, String what, String variable) {
        return Executables.find(program)
                .map(Path::toString)
                .orElseThrow(() -> new LoadException(
                        "This worker found no \"" + program + "\" to run the script with: install " + what + ", or set "
                                + variable + " to where it is, and start the worker again.",
                        true));
    }
}
