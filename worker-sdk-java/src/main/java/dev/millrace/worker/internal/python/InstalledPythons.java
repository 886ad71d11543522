package dev.millrace.worker.internal.python;

import static java.util.stream.Collectors.joining;

import dev.millrace.worker.internal.packages.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the Python interpreters of this machine and chooses one for a script. Nothing is looked for before a script wants
 * something else than the worker's own interpreter. Each one that is found is started once, as a test. Blocking and
 * thread-safe.
 */
public final class InstalledPythons {
    /** Largest number of programs that are tried. */
    static final int CANDIDATES_MAX = 64;

    /** Longest time of a try. */
    private static final Duration TRY_TIME_MAX = Duration.ofSeconds(10);

    /** Number of programs that are tried at the same time. */
    private static final int TRIED_AT_ONCE = 4;

    /** Time after which this machine is looked at again if it had nothing for a script. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    private static final Pattern PROGRAM = Pattern.compile("python3(?:\\.[0-9]{1,2})?");
    private static final Pattern VERSION = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,4})\\.([0-9]{1,4})");

    /** The program's own path, too: what was found may be a slow wrapper. The loop of a process needs the modules. */
    private static final String TRY = """
            import asyncio, json, select, signal, sys, threading
            if sys.version_info.releaselevel == 'final':
                print('%d.%d.%d' % sys.version_info[:3], sys.executable, sys.prefix, sys.base_prefix, sep='\\n')
            """;

    /** What a try prints. */
    private static final int LINES = 4;

    private static final Logger logger = LoggerFactory.getLogger(InstalledPythons.class);

    private final String own;
    private final List<String> configured;
    private final Map<String, String> variables;
    private final Command.Environment environment;
    private final Function<String, Optional<Path>> programs;
    /** Null before the first look. */
    private @Nullable Found found;

    private long lookedNanos;

    /**
     * @param own name or path of the worker's own interpreter
     * @param configured names or paths of the others; if empty, they are looked for in the usual places
     * @param variables of the worker
     * @param beginning of the command lines of programs, which lets them end with the worker
     * @param programs finds programs by name
     */
    public InstalledPythons(
            String own,
            List<String> configured,
            Map<String, String> variables,
            List<String> beginning,
            Function<String, Optional<Path>> programs) {
        this.own = own;
        this.configured = List.copyOf(configured);
        this.variables = Map.copyOf(variables);
        this.programs = programs;
        Map<String, String> passed = new LinkedHashMap<>();
        for (String name : List.of("PATH", "HOME", "PYENV_ROOT")) {
            Optional.ofNullable(variables.get(name)).ifPresent(value -> passed.put(name, value));
        }
        this.environment = new Command.Environment(passed, beginning);
    }

    /**
     * Chooses the interpreter of a script: the worker's own if that will do, since the versions of packages were chosen
     * for it, else the newest.
     *
     * @return empty for the worker's own
     * @throws NoPythonException if there is none
     */
    public synchronized Optional<InstalledPython> choose(PythonRequirement requirement) throws NoPythonException {
        if (requirement.clauses().isEmpty()) {
            return Optional.empty();
        }
        Found known = found == null ? look() : found;
        if (!known.has(requirement) && System.nanoTime() - lookedNanos > LOOK_AGAIN.toNanos()) {
            known = look();
        }
        if (!known.has(requirement)) {
            throw new NoPythonException("The script needs Python " + requirement.text() + ", and this worker has "
                    + known.inWords() + ". Change what the script requires, or install such a Python"
                    + (configured.isEmpty() ? "" : " and name it in millrace.worker.python-interpreters") + ".");
        }
        return known.choose(requirement);
    }

    /**
     * What this machine has.
     *
     * @param own the worker's own interpreter; empty if it does not work
     * @param others the newest first
     */
    private record Found(Optional<InstalledPython> own, List<InstalledPython> others) {
        boolean has(PythonRequirement requirement) {
            return all().anyMatch(python -> requirement.matches(python.version()));
        }

        Optional<InstalledPython> choose(PythonRequirement requirement) {
            boolean isOwn =
                    own.filter(python -> requirement.matches(python.version())).isPresent();
            return isOwn
                    ? Optional.empty()
                    : others.stream()
                            .filter(python -> requirement.matches(python.version()))
                            .findFirst();
        }

        String inWords() {
            String versions = all().map(InstalledPython::version)
                    .distinct()
                    .sorted(Comparator.reverseOrder())
                    .map(PythonVersion::toString)
                    .collect(joining(", "));
            return versions.isEmpty() ? "none" : versions;
        }

        private Stream<InstalledPython> all() {
            return Stream.concat(own.stream(), others.stream());
        }
    }

    private Found look() {
        Optional<InstalledPython> mine = programs.apply(own).flatMap(this::attempt);
        Map<Path, InstalledPython> others = new LinkedHashMap<>();
        ExecutorService tries = Executors.newFixedThreadPool(TRIED_AT_ONCE);
        try {
            List<Future<Optional<InstalledPython>>> started = candidates()
                    .map(program -> tries.submit(() -> attempt(program)))
                    .toList();
            for (Future<Optional<InstalledPython>> one : started) {
                one.get()
                        .filter(python -> !mine.equals(Optional.of(python)))
                        .ifPresent(python -> others.putIfAbsent(python.program(), python));
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            tries.shutdownNow();
        }
        Found now = new Found(
                mine,
                others.values().stream()
                        .sorted(Comparator.comparing(InstalledPython::version).reversed())
                        .toList());
        logger.atInfo()
                .addKeyValue("versions", now.inWords())
                .log("A script asks for a version of Python; these are on this machine.");
        found = now;
        lookedNanos = System.nanoTime();
        return now;
    }

    /** Programs that may be interpreters, each once. */
    private Stream<Path> candidates() {
        Stream<Path> all = configured.isEmpty()
                ? Stream.concat(onPath(), ofPyenv())
                : configured.stream().flatMap(name -> programs.apply(name).stream());
        Map<Path, Path> once = new LinkedHashMap<>();
        all.forEach(program -> once.putIfAbsent(realPath(program), program));
        return once.values().stream().limit(CANDIDATES_MAX);
    }

    private Stream<Path> onPath() {
        return Stream.of(variables.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> list(Path.of(folder)))
                .filter(file ->
                        PROGRAM.matcher(String.valueOf(file.getFileName())).matches());
    }

    private Stream<Path> ofPyenv() {
        Path root = Optional.ofNullable(variables.get("PYENV_ROOT"))
                .map(Path::of)
                .orElseGet(() -> Path.of(variables.getOrDefault("HOME", "/"), ".pyenv"));
        return list(root.resolve("versions"))
                .map(version -> version.resolve("bin").resolve("python3"))
                .filter(Files::isExecutable);
    }

    private static Stream<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().stream();
        } catch (IOException missing) {
            return Stream.empty();
        }
    }

    private static Path realPath(Path program) {
        try {
            return program.toRealPath();
        } catch (IOException broken) {
            return program;
        }
    }

    /** Starts a program; empty if it is no Python that runs scripts. */
    private Optional<InstalledPython> attempt(Path program) {
        try {
            Command.Result result =
                    Command.run(List.of(program.toString(), "-I", "-c", TRY), environment, new byte[0], TRY_TIME_MAX);
            List<String> lines = result.output().lines().toList();
            Matcher version = VERSION.matcher(lines.isEmpty() ? "" : lines.get(0));
            if (result.exitCode() == 0 && lines.size() == LINES && version.matches()) {
                PythonVersion read = new PythonVersion(part(version, 1), part(version, 2), part(version, 3));
                return Optional.of(new InstalledPython(
                                Path.of(lines.get(1)), read, List.of(Path.of(lines.get(2)), Path.of(lines.get(3)))))
                        .filter(python -> read.compareTo(PythonVersion.OLDEST) >= 0);
            }
        } catch (IOException e) {
            logger.debug("A program that is called like Python cannot be started.", e);
        }
        return Optional.empty();
    }

    private static int part(Matcher version, int group) {
        return Integer.parseInt(version.group(group));
    }
}
