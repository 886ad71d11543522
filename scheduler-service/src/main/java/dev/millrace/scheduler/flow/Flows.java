package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.CallSubject;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.NumberedPath;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.flow.dialect.References;
import dev.millrace.scheduler.flow.dialect.SourcePlaces;
import dev.millrace.scheduler.flow.dialect.millrace.FlowPrinter;
import dev.millrace.scheduler.flow.dialect.millrace.Printing;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.BoundedCache;
import dev.millrace.scheduler.version.DeploymentNote;
import dev.millrace.scheduler.version.PathRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Service for the versions of flows. Callers have already checked sizes and workspaces. Blocking and thread-safe. */
public final class Flows {
    private static final int PATHS_REMEMBERED_MAX = 1_000;

    private final FlowStore store;
    private final FlowScripts scripts;
    private final Runnable changed;
    /** Last known current version of each path. */
    private final BoundedCache<PathKey, String> paths = new BoundedCache<>(PATHS_REMEMBERED_MAX);

    /** Versions that are known to be deployed in a workspace. A version that is no more used may be collected after days. */
    private final BoundedCache<VersionKey, VersionKey> deployed =
            new BoundedCache<>(PATHS_REMEMBERED_MAX, Duration.ofHours(1));

    private record PathKey(Workspace workspace, String path) {}

    private record VersionKey(Workspace workspace, String hash) {}

    /** @param changed runs after each commit that may change a current version */
    public Flows(FlowStore store, FlowScripts scripts, Runnable changed) {
        this.store = store;
        this.scripts = scripts;
        this.changed = changed;
    }

    /** Compiles a definition. Scripts and flows that are neither among the files nor deployed are problems as well. */
    Compilation validate(
            Access access, Workspace workspace, FlowSource source, Map<String, String> files, FlowTriggers triggers) {
        Compilation compilation = FlowCompiler.compile(source.with(files.keySet()));
        List<FlowProblem> missing = new ArrayList<>();
        if (compilation instanceof Compilation.Compiled compiled) {
            missing.addAll(subFlows(access, workspace, compiled.flow().name(), compiled)
                    .problems());
            triggers.problems(access, workspace, compiled.flow().name(), compiled.flow())
                    .forEach(wrong -> missing.add(SourcePlaces.problem(source, wrong.field(), wrong.description())));
        }
        missing.addAll(scripts.problems(access, workspace, source, compilation.scriptPaths(), files));
        if (missing.isEmpty()) {
            return compilation instanceof Compilation.Compiled compiled
                    ? compiled.warning(warnings(access, workspace, source, compiled, files))
                    : compilation;
        }
        List<FlowProblem> all = new ArrayList<>(problems(compilation));
        all.addAll(missing);
        return new Compilation.Rejected(
                compilation.dialect(), all, compilation.scriptPaths(), compilation.scriptCandidates());
    }

    /**
     * Stores a version and makes it the current version of its path, which defaults to the name in the definition.
     *
     * @param message what the caller says about the deployment; empty for nothing
     */
    Deployment deploy(
            Access access,
            Workspace workspace,
            String path,
            FlowSource source,
            Map<String, String> files,
            FlowTriggers triggers,
            String message) {
        Version version = version(access, workspace, path, source, files, FlowScripts.Keeping.STORED);
        FlowTriggers.Prepared prepared =
                placing(source, () -> triggers.prepare(access, workspace, version.path(), version.flow()));
        FlowStore.Deployed stored = store.deploy(
                workspace,
                version.path(),
                version.number(),
                version.hash(),
                version.content(),
                version.named(),
                prepared.rows(),
                new DeploymentNote(access.name(), message));
        paths.put(new PathKey(workspace, version.path()), stored.flow().hash());
        prepared.committed().run();
        changed.run();
        return new Deployment(
                stored.flow(), version.warnings(), version.content().scripts().values(), stored.triggers());
    }

    /**
     * What {@link #deploy} would do. Stores nothing, and fails as it would fail.
     */
    FlowPlan plan(
            Access access,
            Workspace workspace,
            String path,
            FlowSource source,
            Map<String, String> files,
            FlowTriggers triggers) {
        Version version = version(access, workspace, path, source, files, FlowScripts.Keeping.NAMED);
        FlowTriggerRows rows = placing(source, () -> triggers.plan(access, workspace, version.path(), version.flow()));
        Optional<StoredFlow> current = store.findCurrent(workspace, version.path());
        return new FlowPlan(
                version.path(),
                version.hash(),
                version.content(),
                version.warnings(),
                current,
                current.map(found -> scripts(found.hash())).orElse(Map.of()),
                store.plan(rows));
    }

    /**
     * Unpublishes a path, see {@link FlowStore#delete}. Other schedulers notice at the next submission by this path.
     */
    Optional<StoredFlow> delete(Workspace workspace, String path, boolean force) {
        Optional<StoredFlow> deleted = store.delete(workspace, path, force);
        paths.remove(new PathKey(workspace, path));
        changed.run();
        return deleted;
    }

    /** Stores a version that can be found only by its hash. The current version of the path stays the same. */
    Deployment store(Access access, Workspace workspace, String path, FlowSource source, Map<String, String> files) {
        Version version = version(access, workspace, path, source, files, FlowScripts.Keeping.STORED);
        return new Deployment(
                store.store(workspace, version.path(), version.hash(), version.content()),
                version.warnings(),
                version.content().scripts().values(),
                List.of());
    }

    private record Version(
            String path,
            int number,
            FlowVersion content,
            NamedPaths named,
            List<FlowProblem> warnings,
            FlowDefinition flow) {
        String hash() {
            return FlowHash.of(content);
        }
    }

    /**
     * Makes a version of a definition without problems: keeps its scripts and fixes the versions of its sub-flows. To
     * whoever may not run a script or a flow, it is not there.
     */
    private Version version(
            Access access,
            Workspace workspace,
            String path,
            FlowSource source,
            Map<String, String> files,
            FlowScripts.Keeping keeping) {
        Compilation compilation = FlowCompiler.compile(source.with(files.keySet()));
        List<FlowProblem> problems = new ArrayList<>(problems(compilation));
        problems.addAll(scripts.problems(access, workspace, source, compilation.scriptPaths(), files));
        if (!problems.isEmpty() || !(compilation instanceof Compilation.Compiled compiled)) {
            throw MillraceException.invalidFlow(source.fileName(), violations(source.fileName(), problems));
        }
        String name = path.isEmpty() ? compiled.flow().name() : path;
        FlowPaths.require(name);
        access.require(Role.DEVELOPER, workspace, name);
        // Scripts are stored before the flow: the record of the call commits with the first of them.
        CallSubject.note(name);
        Set<Root.Reference> references = References.named(compiled.flow());
        ReferenceRights.require(access, workspace, name, references);
        StartRights.require(access, workspace, name, compiled.flow());
        LimitRights.require(access, workspace, compiled.flow());
        SubFlowVersions subFlows = subFlows(access, workspace, name, compiled);
        if (!subFlows.problems().isEmpty()) {
            throw MillraceException.invalidFlow(source.fileName(), violations(source.fileName(), subFlows.problems()));
        }
        Map<String, JobTarget.Script> versions = new TreeMap<>();
        compiled.scriptPaths()
                .forEach(script ->
                        versions.put(script, scripts.version(access, workspace, script, compiled, files, keeping)));
        compiled.inlineScripts()
                .forEach((script, inline) ->
                        versions.put(script, scripts.version(access, workspace, script, inline, files, keeping)));
        return new Version(
                name,
                compiled.number(),
                new FlowVersion(compiled.dialect(), source.fileName(), source.text(), versions, subFlows.hashes()),
                NamedPaths.of(compiled, files.keySet(), subFlows.hashes().keySet(), references),
                warnings(access, workspace, source, compiled, files),
                compiled.flow());
    }

    /** The warnings of the compiler, and those of steps whose input their script does not take. */
    private List<FlowProblem> warnings(
            Access access,
            Workspace workspace,
            FlowSource source,
            Compilation.Compiled compiled,
            Map<String, String> files) {
        StepInputs inputs = new StepInputs(script -> scripts.inputCheck(access, workspace, script, compiled, files));
        return Stream.concat(compiled.warnings().stream(), inputs.warnings(source, compiled.scriptUses()).stream())
                .sorted(Comparator.comparingInt(FlowProblem::line).thenComparingInt(FlowProblem::column))
                .toList();
    }

    /**
     * A stored version.
     *
     * @param warnings settings that have no effect and inputs that scripts do not take, in the order of the definition
     * @param scripts versions of all scripts that the flow names
     * @param triggers changes of the triggers that its file declares
     */
    record Deployment(
            StoredFlow flow,
            List<FlowProblem> warnings,
            Collection<JobTarget.Script> scripts,
            List<DeclaredChange> triggers) {}

    /** Resolves the flows that a flow runs as parts of itself to their current versions. */
    private SubFlowVersions subFlows(Access access, Workspace workspace, String path, Compilation.Compiled compiled) {
        return SubFlowVersions.of(
                workspace,
                path,
                compiled,
                subFlow -> Optional.of(subFlow)
                        .filter(named -> access.allows(Role.RUNNER, workspace, named))
                        .flatMap(named -> findHash(workspace, named))
                        .flatMap(hash -> store.findVersion(hash)
                                .map(version -> new SubFlowVersions.Version(
                                        hash, CompiledVersion.of(hash, version).flow()))));
    }

    /**
     * Converts a definition to the dialect {@code millrace}.
     *
     * @param files contents of the files that come with it, by path
     */
    Conversion convert(FlowSource source, Map<String, String> files) {
        Compilation compilation = FlowCompiler.compile(source.with(files.keySet()));
        if (!(compilation instanceof Compilation.Compiled compiled)) {
            throw MillraceException.invalidFlow(
                    source.fileName(), violations(source.fileName(), problems(compilation)));
        }
        return switch (FlowPrinter.print(compiled, files)) {
            case Printing.Printed printed -> new Conversion(compiled.dialect(), printed, compiled.warnings());
            case Printing.Unprintable unprintable ->
                throw MillraceException.invalidFlow(
                        source.fileName(),
                        unprintable.reasons().stream()
                                .map(reason -> new FieldViolation("definition", reason))
                                .toList());
        };
    }

    /**
     * A definition in the dialect {@code millrace}.
     *
     * @param dialect of the original definition
     * @param warnings settings of the original that had no effect and are left out of the new definition
     */
    record Conversion(String dialect, Printing.Printed printed, List<FlowProblem> warnings) {}

    Optional<StoredFlow> find(Workspace workspace, String hash) {
        return store.find(workspace, hash);
    }

    /** Whether the version was deployed in the workspace and is there for a run that begins now. */
    public boolean use(Workspace workspace, String hash) {
        return deployed.find(
                        new VersionKey(workspace, hash),
                        key -> Optional.of(key).filter(_ -> store.use(workspace, hash)))
                .isPresent();
    }

    /** The version of each script that a version of a flow names, by its path. */
    Map<String, JobTarget.Script> scripts(String hash) {
        return store.findVersion(hash).map(FlowVersion::scripts).orElse(Map.of());
    }

    /** The version of each flow that a version runs as a part of itself, however deep inside, by its path. */
    SortedMap<String, String> subFlows(String hash) {
        SortedMap<String, String> parts = new TreeMap<>();
        store.findVersion(hash).ifPresent(version -> parts.putAll(version.subFlows()));
        parts.values().removeIf(SubFlowVersions.OWN_RUN::equals);
        return parts;
    }

    /** The paths of other deployed flows that start the flow. */
    List<String> usersOf(Workspace workspace, String path) {
        return store.flowsThatName(workspace, path, PathRows.USERS_MAX);
    }

    Optional<StoredFlow> findCurrent(Workspace workspace, String path) {
        return store.findCurrent(workspace, path);
    }

    private Optional<String> findHash(Workspace workspace, String path) {
        NumberedPath numbered = NumberedPath.read(path);
        return numbered.number().isPresent()
                ? store.findHash(workspace, numbered.path(), numbered.number().getAsInt())
                : store.findCurrentHash(workspace, path);
    }

    /** Finds the hash of the current version or, for {@code PATH@NUMBER}, of the version with that number. */
    public Optional<String> findCurrentHash(Workspace workspace, String path) {
        Optional<String> current = findHash(workspace, path);
        if (NumberedPath.read(path).number().isPresent()) {
            return current;
        }
        current.ifPresent(hash -> paths.put(new PathKey(workspace, path), hash));
        return current;
    }

    /**
     * The hashes of the scripts that the current version of a path runs, including those of flows that run inside it; empty
     * if nothing is deployed there.
     */
    public Optional<SortedSet<String>> findCurrentScripts(Workspace workspace, String path) {
        return findHash(workspace, path).flatMap(store::findVersion).map(version -> {
            SortedSet<String> hashes = new TreeSet<>();
            Stream.concat(
                            Stream.of(version),
                            version.subFlows().values().stream()
                                    .filter(hash -> !hash.equals(SubFlowVersions.OWN_RUN))
                                    .flatMap(hash -> store.findVersion(hash).stream()))
                    .flatMap(part -> part.scripts().values().stream())
                    .forEach(script -> hashes.add(script.hash()));
            return hashes;
        });
    }

    /** Finds the hash of the version that was current when this scheduler last read or deployed it. */
    public Optional<String> findRememberedHash(Workspace workspace, String path) {
        return paths.find(new PathKey(workspace, path));
    }

    /** Lists current versions with paths greater than {@code afterPath}, ordered by path, without definitions. */
    List<StoredFlow> list(Workspace workspace, Optional<Set<String>> folders, String afterPath, int limit) {
        return store.list(workspace, folders, afterPath, limit);
    }

    static List<FlowProblem> problems(Compilation compilation) {
        return switch (compilation) {
            case Compilation.Compiled _ -> List.of();
            case Compilation.Rejected rejected -> rejected.problems();
        };
    }

    static List<FlowProblem> warnings(Compilation compilation) {
        return switch (compilation) {
            case Compilation.Compiled compiled -> compiled.warnings();
            case Compilation.Rejected _ -> List.of();
        };
    }

    /** Triggers are read from the compiled flow, which has no lines: what is wrong with them gets its line here. */
    private static <T> T placing(FlowSource source, Supplier<T> triggers) {
        try {
            return triggers.get();
        } catch (MillraceException refused) {
            if (refused.code() != ErrorCode.INVALID_FLOW) {
                throw refused;
            }
            List<FlowProblem> placed = refused.violations().stream()
                    .map(wrong -> SourcePlaces.problem(source, wrong.field(), wrong.description()))
                    .toList();
            throw MillraceException.invalidFlow(source.fileName(), violations(source.fileName(), placed));
        }
    }

    private static List<FieldViolation> violations(String file, List<FlowProblem> problems) {
        return problems.stream()
                .map(problem -> new FieldViolation(
                        problem.path().isEmpty() ? "definition" : problem.path(),
                        (place(file, problem) + problem.message() + " " + problem.remedy()).strip()))
                .toList();
    }

    private static String place(String file, FlowProblem problem) {
        return problem.line() == 0 ? "" : file + ":" + problem.line() + ":" + problem.column() + ": ";
    }
}
