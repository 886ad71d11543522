package dev.millrace.scheduler.script;

import dev.millrace.scheduler.input.DeclaredSchemas;
import dev.millrace.scheduler.input.InputSchema;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.BoundedCache;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.version.DeploymentNote;
import dev.millrace.scheduler.version.PathRows;
import dev.millrace.text.script.ScriptFiles;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Versions of scripts, with caches for what submissions read. Callers validate the arguments. Blocking and thread-safe.
 */
public final class Scripts {
    private static final int CACHED_MAX = 1_000;

    /** Largest number of characters of a version that is kept at hand with its content. */
    private static final int AT_HAND_CHARS_MAX = 64 << 10;

    /** Largest number of characters of all versions that are kept at hand. */
    private static final long ALL_AT_HAND_CHARS_MAX = 4 << 20;

    private static final Duration AT_HAND = Duration.ofHours(1);

    private final ScriptStore store;
    private final Runnable changed;
    /**
     * Versions by hash, for submissions by hash. Entries expire before an unused version may be collected, which takes
     * days.
     */
    private final BoundedCache<VersionKey, Script> versions = new BoundedCache<>(CACHED_MAX, Duration.ofHours(1));

    /** The version that each path had when this scheduler last looked, without content. */
    private final BoundedCache<PathKey, Script> paths = new BoundedCache<>(CACHED_MAX);

    /** Small versions with their content, which were deployed or read lately. */
    private final BoundedCache<VersionKey, Script> atHand =
            new BoundedCache<>(ALL_AT_HAND_CHARS_MAX, AT_HAND, Script::chars);

    private record VersionKey(Workspace workspace, String hash) {}

    private record PathKey(Workspace workspace, String path) {}

    /** @param changed runs after each commit that may change a current version, or what its processes need */
    public Scripts(ScriptStore store, Runnable changed) {
        this.store = store;
        this.changed = changed;
    }

    /** Notes that packages were chosen for a version. */
    public void packagesChosen() {
        changed.run();
    }

    /**
     * Stores a version and makes it the current one of its path.
     *
     * @param schema what the author says about the inputs; absent if that is nothing
     */
    public Script deploy(
            Workspace workspace, String path, ScriptSource source, Optional<Json> schema, DeploymentNote note) {
        Script deployed =
                store.deploy(workspace, path, ScriptHash.of(path, source), source, schema(source, schema), note);
        paths.put(new PathKey(workspace, path), deployed.withoutContent());
        remember(deployed);
        changed.run();
        return deployed;
    }

    /** What {@link #deploy} would do. Stores nothing. */
    ScriptPlan plan(Workspace workspace, String path, ScriptSource source, Optional<Json> schema) {
        Script version = new Script(
                ScriptHash.of(path, source),
                path,
                workspace,
                source.language(),
                source.content(),
                new TreeMap<>(source.files()),
                WallClock.now());
        return new ScriptPlan(version, store.findCurrent(workspace, path), schema(source, schema));
    }

    private static Optional<InputSchema> schema(ScriptSource source, Optional<Json> given) {
        return given.map(schema -> new InputSchema(schema, InputSchema.Origin.AUTHOR))
                .or(() -> declared(source));
    }

    /**
     * Stores a version without publishing it, for example a file that belongs to a flow.
     *
     * @param path the version's name for people
     */
    public Script store(Workspace workspace, String path, ScriptSource source) {
        Script stored = store.store(workspace, path, ScriptHash.of(path, source), source, declared(source));
        remember(stored);
        return stored;
    }

    /** The version that {@link #store} would store, which it need not have done. */
    public static JobTarget.Script versionOf(String path, ScriptSource source) {
        return new JobTarget.Script(ScriptHash.of(path, source), source.language());
    }

    private static Optional<InputSchema> declared(ScriptSource source) {
        return DeclaredSchemas.of(source.language(), source.content());
    }

    /**
     * Unpublishes a path, see {@link ScriptStore#delete}. Other schedulers notice when a submission next uses the path.
     */
    public Optional<Script> delete(Workspace workspace, String path, boolean force) {
        Optional<Script> deleted = store.delete(workspace, path, force);
        paths.remove(new PathKey(workspace, path));
        changed.run();
        return deleted;
    }

    private void remember(Script version) {
        versions.put(new VersionKey(version.workspace(), version.hash()), version.withoutContent());
        keepAtHand(version);
    }

    private void keepAtHand(Script version) {
        if (version.chars() <= AT_HAND_CHARS_MAX) {
            atHand.put(new VersionKey(version.workspace(), version.hash()), version);
        }
    }

    public Optional<Script> find(Workspace workspace, String hash) {
        Optional<Script> found = store.find(workspace, hash);
        found.ifPresent(this::keepAtHand);
        return found;
    }

    /** A small version with its content that was deployed or read lately. Does not wait, and reads no database. */
    public Optional<Script> findAtHand(Workspace workspace, String hash) {
        return atHand.find(new VersionKey(workspace, hash));
    }

    /** The paths of deployed flows that run the script. */
    List<String> usersOf(Workspace workspace, String path) {
        return store.flowsThatName(workspace, path, PathRows.USERS_MAX);
    }

    /** Whether the version is the current one of some path. */
    public boolean isDeployed(Workspace workspace, String hash) {
        return store.isDeployed(workspace, hash);
    }

    public Optional<Script> findCurrent(Workspace workspace, String path) {
        return store.findCurrent(workspace, path);
    }

    /**
     * The deployed scripts as files that a script may import; for one search.
     *
     * @param isReadable whether the caller may read the script at a path
     */
    public ScriptFiles.Source deployedFiles(Workspace workspace, Predicate<String> isReadable) {
        return new DeployedFiles(store, workspace, isReadable);
    }

    /** A version without content, from the cache. Its path may be out of date, so use it only in texts for people. */
    public Optional<Script> findCached(Workspace workspace, String hash) {
        return versions.find(
                new VersionKey(workspace, hash), _ -> store.use(workspace, hash).map(Script::withoutContent));
    }

    /** The current version of a path, without content, from the database. */
    public Optional<Script> findCurrentWithoutContent(Workspace workspace, String path) {
        Optional<Script> current = store.findCurrentWithoutContent(workspace, path);
        current.ifPresent(script -> paths.put(new PathKey(workspace, path), script));
        return current;
    }

    /**
     * The version that a path had when this scheduler last looked or deployed, without content; empty if it never did.
     */
    public Optional<Script> findRemembered(Workspace workspace, String path) {
        return paths.find(new PathKey(workspace, path));
    }

    /** Current versions whose path is greater than {@code afterPath}, ordered by path, without content. */
    public List<Script> list(Workspace workspace, Optional<Set<String>> folders, String afterPath, int limit) {
        return store.list(workspace, folders, afterPath, limit);
    }
}
