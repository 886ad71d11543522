package dev.millrace.flowtest;

import dev.millrace.flowtest.script.ScriptCode;
import dev.millrace.scheduler.config.JobConfig;
import dev.millrace.scheduler.flow.InputCheck;
import dev.millrace.scheduler.flow.SubFlowVersions;
import dev.millrace.scheduler.flow.core.graph.Defaults;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.Limits;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.schema.SchemaInvalid;
import dev.millrace.scheduler.script.ScriptPaths;
import dev.millrace.scheduler.script.ScriptSource;
import dev.millrace.text.script.ScriptLanguages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The flows in a folder, compiled as a deployment compiles them. A flow that another one names by its path is the file
 * with that path in the folder, or the file whose definition has that name. Not thread-safe.
 */
public final class FlowFolder {
    /** Longest definition that is read, in bytes. */
    private static final long BYTES_MAX = 16L * 1024 * 1024;

    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");
    /** Language of scripts whose name does not tell it; only their default tag depends on it. */
    private static final Language ANY_LANGUAGE = new Language("python");

    private final Path folder;
    private final Map<Path, Compilation.Compiled> compiled = new HashMap<>();
    private final Map<String, Optional<Path>> paths = new HashMap<>();
    private final Map<String, Supplier<ScriptCode>> scripts = new HashMap<>();

    public FlowFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Compiles the flow in a file of the folder.
     *
     * @throws SimulationStopped if the file cannot be read, or the definition has errors
     */
    public FlowUnderTest read(String file) {
        Path found = folder.resolve(file);
        return resolve(stem(file), found, compile(found));
    }

    /** Finds the flow that other flows name by this path. */
    Optional<FlowUnderTest> find(String path) {
        return file(path).map(found -> resolve(path, found, compile(found)));
    }

    /**
     * The script that flows name by this path: a file beside the flow, or a part of its definition. Empty if there is
     * none.
     *
     * @throws SimulationStopped if it cannot be read
     */
    Optional<ScriptCode> code(String path) {
        return Optional.ofNullable(scripts.get(path)).map(script -> {
            try {
                return script.get();
            } catch (UncheckedIOException | IllegalArgumentException unusable) {
                throw new SimulationStopped(String.valueOf(unusable.getMessage()));
            }
        });
    }

    /** Paths of the scripts that are here, of all flows that were read. */
    public Set<String> scripts() {
        return Set.copyOf(scripts.keySet());
    }

    /** Reads a script of a test, relative to the folder. */
    public ScriptCode script(String file) {
        try {
            return ScriptCode.read(folder.resolve(file));
        } catch (UncheckedIOException | IllegalArgumentException unusable) {
            throw new SimulationStopped(unusable.getMessage() + " Its path is relative to the test.");
        }
    }

    private void findScripts(Path file, Compilation.Compiled flow) {
        flow.inlineScripts()
                .forEach((path, inline) -> scripts.putIfAbsent(
                        path,
                        () -> new ScriptCode(
                                path, ScriptSource.choosing(inline.language(), inline.content(), Map.of()))));
        for (String path : flow.scriptPaths()) {
            Path script = file.resolveSibling(path);
            if (Files.isRegularFile(script) && ScriptLanguages.of(path).isPresent()) {
                scripts.putIfAbsent(path, () -> ScriptCode.read(script, source -> flow.languageOf(path, source)));
            }
        }
    }

    private FlowUnderTest resolve(String path, Path file, Compilation.Compiled flow) {
        SubFlowVersions versions = SubFlowVersions.of(
                Workspace.DEFAULT,
                path,
                flow,
                other -> file(other)
                        .map(found -> new SubFlowVersions.Version(
                                other, compile(found).flow())));
        if (!versions.problems().isEmpty()) {
            throw new SimulationStopped(describe(file, versions.problems()) + "\nThe flows of a test are searched in "
                    + folder + ": PATH.yaml, or a definition with that name.");
        }
        Map<String, SubFlows.Version> inside = new HashMap<>();
        Set<String> runs = new HashSet<>();
        versions.hashes().forEach((other, hash) -> {
            if (hash.equals(SubFlowVersions.OWN_RUN)) {
                runs.add(other);
            } else {
                Path found = file(other).orElseThrow();
                inside.put(
                        other,
                        new SubFlows.Version(
                                compile(found).flow(), scripts(compile(found)), inputs(found, compile(found))));
            }
        });
        FlowModel model = FlowModel.resolve(
                flow.flow(),
                scripts(flow),
                new SubFlows(inside, runs),
                new Defaults(JobConfig.TIMEOUT_DEFAULT),
                Limits.DEFAULT);
        return new FlowUnderTest(path, model, inputs(file, flow));
    }

    private static InputCheck inputs(Path file, Compilation.Compiled flow) {
        try {
            return InputCheck.of(flow.flow());
        } catch (SchemaInvalid invalid) {
            throw new SimulationStopped(
                    file + ": The input_schema is not usable. " + invalid.problem() + " " + invalid.remedy());
        }
    }

    private static Map<String, JobTarget.Script> scripts(Compilation.Compiled flow) {
        Map<String, JobTarget.Script> scripts = new HashMap<>();
        flow.scriptPaths()
                .forEach(path -> scripts.put(
                        path,
                        new JobTarget.Script(path, ScriptPaths.languageOf(path).orElse(ANY_LANGUAGE))));
        flow.inlineScripts()
                .forEach((path, script) -> scripts.put(path, new JobTarget.Script(path, script.language())));
        return scripts;
    }

    private Compilation.Compiled compile(Path file) {
        Compilation.Compiled known = compiled.get(file);
        if (known == null) {
            FlowSource source = new FlowSource(String.valueOf(file.getFileName()), Optional.empty(), text(file));
            Compilation first = FlowCompiler.compile(source);
            Set<String> beside = first.scriptCandidates().stream()
                    .filter(script -> Files.isRegularFile(file.resolveSibling(script)))
                    .collect(Collectors.toSet());
            Compilation last = beside.isEmpty() ? first : FlowCompiler.compile(source.with(beside));
            known = switch (last) {
                case Compilation.Compiled flow -> flow;
                case Compilation.Rejected rejected -> throw new SimulationStopped(describe(file, rejected.problems()));
            };
            compiled.put(file, known);
            findScripts(file, known);
        }
        return known;
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new SimulationStopped(
                        "The definition " + file + " has more than the limit of " + BYTES_MAX + " bytes.");
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new SimulationStopped("The flow " + file + " cannot be read (" + unreadable
                    + "): correct its path, which is relative to the test.");
        }
    }

    private static String describe(Path file, List<FlowProblem> problems) {
        return problems.stream()
                .map(problem -> file + (problem.line() == 0 ? "" : ":" + problem.line() + ":" + problem.column()) + ": "
                        + (problem.path().isEmpty() ? "" : problem.path() + ": ")
                        + problem.message() + " " + problem.remedy())
                .collect(Collectors.joining("\n"));
    }

    private Optional<Path> file(String path) {
        return paths.computeIfAbsent(path, this::search);
    }

    private Optional<Path> search(String path) {
        Path root = folder.toAbsolutePath().normalize();
        for (String ending : ENDINGS) {
            Path file = root.resolve(path + ending).normalize();
            if (file.startsWith(root) && Files.isRegularFile(file)) {
                return Optional.of(folder.resolve(path + ending));
            }
        }
        try (var files = Files.list(folder)) {
            return files.filter(FlowFolder::mayBeFlow)
                    .sorted()
                    .filter(file -> isNamed(file, path))
                    .findFirst();
        } catch (IOException unreadable) {
            throw new SimulationStopped("The folder " + folder + " cannot be read (" + unreadable + ").");
        }
    }

    private static boolean mayBeFlow(Path file) {
        String name = String.valueOf(file.getFileName());
        return ENDINGS.stream().anyMatch(name::endsWith) && !name.contains(".test.") && Files.isRegularFile(file);
    }

    private boolean isNamed(Path file, String path) {
        try {
            Compilation.Compiled flow = compile(file);
            return flow.flow().name().equals(path) || path.equals(flow.flow().name() + "@" + flow.number());
        } catch (SimulationStopped other) {
            return false;
        }
    }

    private static String stem(String file) {
        int dot = file.lastIndexOf('.');
        return dot < 0 ? file : file.substring(0, dot);
    }
}
