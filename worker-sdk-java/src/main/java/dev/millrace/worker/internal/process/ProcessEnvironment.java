package dev.millrace.worker.internal.process;

import static java.util.stream.Collectors.joining;

import dev.millrace.worker.internal.packages.DenoSet;
import dev.millrace.worker.internal.packages.PreparedPackages;
import dev.millrace.worker.internal.runtime.JobScope;
import java.io.File;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Environment variables of processes: none of the worker's but those that are to be passed, and what processes need. */
final class ProcessEnvironment {
    /** Marks a process and its descendants. */
    static final String PROCESS_ID_VARIABLE = "MILLRACE_PROCESS_ID";

    /** Home of programs without a folder of their own, which must not find files of the worker's user. */
    static final String NO_HOME = "/nonexistent";

    private static final String PATH = "PATH";

    /** Folders of packages, which the runtime takes out of the environment. */
    private static final String PACKAGES_VARIABLE = "MILLRACE_PACKAGES";

    /** Why modules have no package, in lines of a module and its reason, which the runtime takes out of the environment. */
    private static final String ABSENT_VARIABLE = "MILLRACE_ABSENT";

    private static final Pattern SPACE = Pattern.compile("\\s+");

    /** Folder with all files of the script, which the runtime takes out of the environment. */
    private static final String FILES_VARIABLE = "MILLRACE_FILES";

    /** Which authorities Deno trusts: {@code system} for those of the machine. */
    private static final String AUTHORITY_STORE = "DENO_TLS_CA_STORE";

    /** The registry in place of JSR, below whose address Deno keeps its packages. */
    private static final String JSR_REGISTRY = "JSR_URL";

    private final Collection<String> passed;
    private final Optional<Path> authorities;
    private final ProcessFolders folders;

    /**
     * @param passed names of variables that processes get from the worker's own environment
     * @param authorities file with further authorities that Deno is to trust
     */
    ProcessEnvironment(Collection<String> passed, Optional<Path> authorities, ProcessFolders folders) {
        this.passed = passed;
        this.authorities = authorities;
        this.folders = folders;
    }

    /** The {@code PATH} of the worker. */
    static String path() {
        return System.getenv().getOrDefault(PATH, "/usr/local/bin:/usr/bin:/bin");
    }

    /** Turns a copy of the worker's environment into what each process has. */
    void setCommon(Map<String, String> environment) {
        environment.keySet().removeIf(name -> !passed.contains(name));
        environment.put(PATH, path());
        environment.put("LANG", "C.UTF-8");
        environment.put("TZ", System.getenv().getOrDefault("TZ", "UTC"));
    }

    /** Turns a copy of the worker's environment into that of a process for a script. */
    void set(
            Map<String, String> environment,
            JobScope scope,
            Script script,
            Path home,
            Path temporary,
            String processId) {
        setCommon(environment);
        environment.put("HOME", home.toString());
        environment.put("TMPDIR", temporary.toString());
        environment.put("MILLRACE_WORKSPACE", scope.workspace());
        environment.put(PROCESS_ID_VARIABLE, processId);
        script.tree().ifPresent(tree -> environment.put(FILES_VARIABLE, tree.toString()));
        if (script.runtime() == ScriptRuntime.PYTHON) {
            setPython(environment, script.packages());
        }
        if (script.runtime() == ScriptRuntime.DENO) {
            setDeno(environment, scope, script);
        }
    }

    /** Adds what a process that runs once needs to make calls. */
    static void setCommands(Map<String, String> environment, Path commands, Path calls) {
        environment.put(CallFolder.VARIABLE, calls.toString());
        environment.put(PATH, commands + File.pathSeparator + environment.get(PATH));
    }

    private static void setPython(Map<String, String> environment, PreparedPackages packages) {
        if (!packages.folders().isEmpty()) {
            environment.put(
                    PACKAGES_VARIABLE,
                    packages.folders().stream().map(Path::toString).collect(joining(File.pathSeparator)));
        }
        if (!packages.absent().isEmpty()) {
            environment.put(
                    ABSENT_VARIABLE,
                    packages.absent().entrySet().stream()
                            .map(reason -> reason.getKey() + " "
                                    + SPACE.matcher(reason.getValue())
                                            .replaceAll(" ")
                                            .strip())
                            .sorted()
                            .collect(joining("\n")));
        }
    }

    /** Adds what Deno reads. */
    void setDeno(Map<String, String> environment, JobScope scope, Script script) {
        environment.put("DENO_DIR", folders.denoOf(scope, script).toString());
        authorities.ifPresent(file -> environment.put("DENO_CERT", file.toString()));
        for (String name : List.of(AUTHORITY_STORE, JSR_REGISTRY)) {
            Optional.ofNullable(System.getenv(name)).ifPresent(value -> environment.put(name, value));
        }
        if (!script.packages().folders().isEmpty()) {
            environment.put("NPM_CONFIG_REGISTRY", DenoSet.REGISTRY_ADDRESS);
        }
        environment.put("DENO_NO_UPDATE_CHECK", "1");
        environment.put("NO_COLOR", "1");
    }
}
