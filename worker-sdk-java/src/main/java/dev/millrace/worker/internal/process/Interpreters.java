package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.language.ScriptLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interpreters of this machine and their versions. A missing one matters only to jobs that need it, which then report
 * it.
 *
 * @param versions version by runtime, for the interpreters found
 */
public record Interpreters(String python, String deno, Map<String, String> versions) {
    private static final Logger logger = LoggerFactory.getLogger(Interpreters.class);

    /** A program that takes longer to tell its version is broken, and must not keep the worker from its other jobs. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

    /** Asks Python for its own path too: the one in the PATH may be a slow wrapper. */
    private static final String PYTHON_PROBE =
            "import sys; print('%d.%d.%d' % sys.version_info[:3]); print(sys.executable)";

    public Interpreters {
        versions = Map.copyOf(versions);
    }

    /** Finds the interpreters: as configured, else as the environment says, else in the usual places. */
    public static Interpreters find(
            Optional<String> configuredPython, Optional<String> configuredDeno, List<ScriptLanguage> languages) {
        Map<String, String> versions = new HashMap<>();
        String python = configuredPython.or(() -> variable("MILLRACE_PYTHON")).orElse("python3");
        List<String> pythonSays = ask(python, "-c", PYTHON_PROBE);
        if (pythonSays.size() == 2) {
            versions.put("python", pythonSays.get(0));
            python = pythonSays.get(1);
        }
        String deno = configuredDeno
                .or(() -> variable("MILLRACE_DENO"))
                .or(Interpreters::denoBelowHome)
                .orElse("deno");
        List<String> denoSays = ask(deno, "--version");
        if (!denoSays.isEmpty()) {
            versions.put("deno", denoSays.get(0).replaceFirst("^deno (\\S+).*", "$1"));
        }
        for (ScriptLanguage language : languages) {
            language.version().ifPresent(version -> versions.put(language.name(), version));
        }
        return new Interpreters(python, deno, versions);
    }

    /** The folders in which a Python keeps its own modules, also those of a virtual environment. */
    static List<Path> foldersOf(String python) {
        return ask(python, "-c", "import sys; print(sys.prefix); print(sys.base_prefix)").stream()
                .map(Path::of)
                .filter(folder -> !folder.startsWith("/usr"))
                .toList();
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }

    /** Deno where the build installs it with npm. */
    private static Optional<String> denoBelowHome() {
        return variable("MILLRACE_HOME")
                .map(home -> Path.of(home, "worker-runtime-deno", "node_modules", "deno", "deno"))
                .filter(Files::isExecutable)
                .map(Path::toString);
    }

    /** Returns the lines that a program prints; none if it is missing or fails. */
    private static List<String> ask(String program, String... arguments) {
        Optional<Path> executable = Executables.find(program);
        if (executable.isEmpty()) {
            logger.atWarn()
                    .addKeyValue("program", program)
                    .log("An interpreter is missing; the worker takes no jobs that need it until it is there.");
            return List.of();
        }
        List<String> command = new ArrayList<>(List.of(executable.get().toString()));
        command.addAll(List.of(arguments));
        try {
            Command.Result result =
                    Command.run(command, new Command.Environment(System.getenv(), List.of()), new byte[0], ANSWER_MAX);
            if (result.exitCode() != 0) {
                logger.atWarn()
                        .addKeyValue("program", program)
                        .addKeyValue("reason", result.reason(program))
                        .log("An interpreter does not tell its version; the worker takes no jobs that need it.");
            }
            return result.exitCode() == 0 ? result.output().lines().toList() : List.of();
        } catch (IOException e) {
            logger.atWarn().addKeyValue("program", program).setCause(e).log("An interpreter cannot be started.");
            return List.of();
        }
    }
}
